package checkline

import (
	"net/http"
	"regexp"
	"strconv"
	"time"
)

// ResponseInfo is a response's metadata. It contains neither the number nor the
// key, so it is safe to log.
type ResponseInfo struct {
	// Status is the HTTP status.
	Status int
	// RequestID is the X-Request-Id, for support requests.
	RequestID string
	// DataVersion is the Data-Version, the version of the data behind the
	// result, such as "9.0.43+3f9c1a". Empty if there is no result.
	DataVersion string
	// Attempt is the attempt number within its call, starting at 1.
	Attempt int
	// Duration is the time from sending the request to the end of the body.
	Duration time.Duration
	// RateLimits is what is left of each per-minute limit, by name:
	// "requests" and "numbers". Empty if the response doesn't say.
	RateLimits map[string]RateLimit
}

// RateLimit is what remains of a limit.
type RateLimit struct {
	// Remaining is the remaining count.
	Remaining int
	// Reset is the time until more are available.
	Reset time.Duration
}

// Quota is the state of a quota, counted in successful live verifications.
type Quota struct {
	// Plan is the plan's id, such as "trial"; "" without a subscription, and in a key's cap and
	// an error.
	Plan string `json:"plan,omitempty"`
	// Limit is nil if unlimited.
	Limit *int `json:"limit"`
	// Used is the used count.
	Used int `json:"used"`
	// Remaining is nil if unlimited.
	Remaining *int `json:"remaining"`
	// ResetsAt is when the quota resets, in ISO 8601, "" if it doesn't.
	ResetsAt string `json:"resets_at,omitempty"`
	// KeyCap is the calling key's monthly cap, nil without one.
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
		Status: status, RequestID: header.Get("X-Request-Id"), DataVersion: header.Get("Data-Version"),
		Attempt: attempt, Duration: took, RateLimits: limits,
	}
}
