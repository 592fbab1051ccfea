package checkline

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"math"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	firstPause   = 500 * time.Millisecond
	longestPause = 8 * time.Second
)

// pause returns the time until the next attempt: attempt is 0 after the first
// one, random from 0 to 1. Half of it is random, so that clients spread out.
func pause(attempt int, random float64) time.Duration {
	full := math.Min(float64(firstPause)*math.Pow(2, float64(attempt)), float64(longestPause))
	return time.Duration(full * (1 + random) / 2)
}

// pauseAfter returns the time until the next attempt after a response, or false
// if the response is final. usual is the pause if the response asks for none.
func pauseAfter(a *answer, usual, maxWait time.Duration) (time.Duration, bool) {
	if a.status != http.StatusTooManyRequests && a.status < http.StatusInternalServerError {
		return 0, false
	}
	if asked, ok := a.retryAfter(); ok {
		return asked, asked <= maxWait
	}
	return usual, true
}

// wholeSeconds is the first form of Retry-After. The other one is a date.
var wholeSeconds = regexp.MustCompile(`^[0-9]{1,9}$`)

// retryAfter returns the wait that a response asks for.
func (a *answer) retryAfter() (time.Duration, bool) {
	if a.status != http.StatusTooManyRequests && a.status != http.StatusServiceUnavailable {
		return 0, false
	}
	text := strings.Trim(a.header.Get("Retry-After"), " \t")
	if !wholeSeconds.MatchString(text) {
		date, err := time.Parse(http.TimeFormat, text)
		seconds := math.Ceil(time.Until(date).Seconds())
		return time.Duration(math.Max(0, seconds)) * time.Second, err == nil
	}
	seconds, err := strconv.Atoi(text)
	return time.Duration(seconds) * time.Second, err == nil
}

// wait returns early, with the context's error, when the context ends.
func wait(ctx context.Context, length time.Duration) error {
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

func randomBytes() [16]byte {
	var bytes [16]byte
	if _, err := rand.Read(bytes[:]); err != nil {
		panic("checkline: the system has no random numbers: " + err.Error())
	}
	return bytes
}

// randomKey returns a new idempotency key. Its prefix marks an SDK's key for
// the service.
func randomKey() string {
	bytes := randomBytes()
	return "sdk-" + hex.EncodeToString(bytes[:])
}

// random returns a number from 0 to 1. math/rand's own would be the same in
// every process until Go 1.20.
func random() float64 {
	bytes := randomBytes()
	return float64(binary.BigEndian.Uint64(bytes[:8])>>11) / (1 << 53)
}
