package checkline

import (
	"net/http"
	"regexp"
	"strconv"
	"time"
)

// ResponseInfo is what a response says beside its body. It has neither the
// number nor the key, so that it can be logged.
type ResponseInfo struct {
	// Status is the HTTP status.
	Status int
	// RequestID is the X-Request-Id, to quote to support.
	RequestID string
	// Attempt tells which attempt of its call it came to, from 1.
	Attempt int
	// Duration is the time from sending the request to the end of the body.
	Duration time.Duration
	// RateLimits is what is left of each limit of the minute, by its name:
	// "requests" and "numbers". Empty where the response does not say.
	RateLimits map[string]RateLimit
}

// RateLimit is what is left of a limit.
type RateLimit struct {
	// Remaining is how many remain.
	Remaining int
	// Reset is the time until there are more.
	Reset time.Duration
}

// Quota is what is left of a quota, counted in successful live verifications.
type Quota struct {
	// Plan is "trial" or "pro", "" without a subscription, and in a key's cap and
	// an error.
	Plan string `json:"plan,omitempty"`
	// Limit is nil where nothing limits them.
	Limit *int `json:"limit"`
	// Used is how many are used up.
	Used int `json:"used"`
	// Remaining is nil where nothing limits them.
	Remaining *int `json:"remaining"`
	// ResetsAt is when it begins again, in ISO 8601, "" for one that does not.
	ResetsAt string `json:"resets_at,omitempty"`
	// KeyCap is the monthly cap of the key that asks, nil without one.
	KeyCap *Quota `json:"key_cap,omitempty"`
}

// rateLimit matches a part of "requests";r=59;t=60, "numbers";r=599;t=60.
var rateLimit = regexp.MustCompile(`"(\w+)";r=(\d{1,15});t=(\d{1,9})(?:\D|$)`)

func newResponseInfo(status int, header http.Header, attempt int, took time.Duration) ResponseInfo {
	limits := map[string]RateLimit{}
	for _, part := range rateLimit.FindAllStringSubmatch(header.Get("RateLimit"), -1) {
		remaining, _ := strconv.Atoi(part[2])
		seconds, _ := strconv.Atoi(part[3])
		limits[part[1]] = RateLimit{Remaining: remaining, Reset: time.Duration(seconds) * time.Second}
	}
	return ResponseInfo{
		Status: status, RequestID: header.Get("X-Request-Id"), Attempt: attempt, Duration: took, RateLimits: limits,
	}
}
