package checkline

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"reflect"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// recordPauses makes a client record its pauses instead of waiting.
func recordPauses(client *Client) *[]time.Duration {
	pauses := &[]time.Duration{}
	client.wait = func(_ context.Context, length time.Duration) error {
		*pauses = append(*pauses, length)
		return nil
	}
	return pauses
}

// inTurn returns one response after another, repeating the last.
func inTurn(answers ...func() (*http.Response, error)) transport {
	next := 0
	return func(*http.Request) (*http.Response, error) {
		answer := answers[next]
		if next < len(answers)-1 {
			next++
		}
		return answer()
	}
}

func answering(status int, body string, header ...string) func() (*http.Response, error) {
	return func() (*http.Response, error) { return reply(status, body, header...), nil }
}

func failing(err error) func() (*http.Response, error) {
	return func() (*http.Response, error) { return nil, err }
}

func TestPausesGrowAndAreHalfRandom(t *testing.T) {
	want := []float64{0.5, 1, 2, 4, 8, 8, 8}
	for attempt, seconds := range want {
		if got := pause(attempt, 0).Seconds(); got != seconds/2 {
			t.Error(attempt, got)
		}
		if got := pause(attempt, 1).Seconds(); got != seconds {
			t.Error(attempt, got)
		}
	}
	if got := pause(5000, 1); got != longestPause {
		t.Error(got)
	}
	drawn := map[float64]bool{}
	for range [100]struct{}{} {
		number := random()
		if number < 0 || number >= 1 {
			t.Error(number)
		}
		drawn[number] = true
	}
	if len(drawn) < 99 {
		t.Error("only", len(drawn), "numbers")
	}
}

func TestPauses(t *testing.T) {
	late := func(status int, after string) func() (*http.Response, error) {
		return answering(status, `{"error":"Later.","code":"LATER"}`, "Retry-After", after)
	}
	fine := answering(200, testAnswer)
	for name, test := range map[string]struct {
		answers []func() (*http.Response, error)
		pauses  []time.Duration
		fails   bool
	}{
		"what is answered":      {answers: []func() (*http.Response, error){fine}},
		"twice at most":         {answers: []func() (*http.Response, error){answering(500, "oops")}, pauses: []time.Duration{375 * time.Millisecond, 750 * time.Millisecond}, fails: true},
		"Retry-After":           {answers: []func() (*http.Response, error){late(429, "60"), late(503, "7"), fine}, pauses: []time.Duration{60 * time.Second, 7 * time.Second}},
		"not of another status": {answers: []func() (*http.Response, error){late(500, "7"), fine}, pauses: []time.Duration{375 * time.Millisecond}},
		"unreadable":            {answers: []func() (*http.Response, error){late(429, "-1"), fine}, pauses: []time.Duration{375 * time.Millisecond}},
		"too long":              {answers: []func() (*http.Response, error){late(429, "61"), fine}, fails: true},
		"not whole":             {answers: []func() (*http.Response, error){late(429, "1.5"), fine}, pauses: []time.Duration{375 * time.Millisecond}},
		"a date":                {answers: []func() (*http.Response, error){late(429, "Sat, 21 Nov 2015 00:00:00 GMT"), fine}, pauses: []time.Duration{0}},
		"a date far away":       {answers: []func() (*http.Response, error){late(429, "Sat, 21 Nov 2199 00:00:00 GMT"), fine}, fails: true},
		"no date":               {answers: []func() (*http.Response, error){late(429, "Sat, 99 Nov 2015 00:00:00 GMT"), fine}, pauses: []time.Duration{375 * time.Millisecond}},
		"with a sign":           {answers: []func() (*http.Response, error){late(429, "+7"), fine}, pauses: []time.Duration{375 * time.Millisecond}},
		"nine digits":           {answers: []func() (*http.Response, error){late(429, "999999999"), fine}, fails: true},
		"ten digits":            {answers: []func() (*http.Response, error){late(429, "0000000007"), fine}, pauses: []time.Duration{375 * time.Millisecond}},
		"connection errors":     {answers: []func() (*http.Response, error){failing(syscall.ECONNRESET), failing(io.EOF), fine}, pauses: []time.Duration{375 * time.Millisecond, 750 * time.Millisecond}},
	} {
		client := clientWith(t, inTurn(test.answers...))
		client.random = func() float64 { return 0.5 }
		pauses := recordPauses(client)
		_, err := client.Verify(context.Background(), "1")
		if (err != nil) != test.fails {
			t.Error(name, err)
		}
		if len(*pauses) != len(test.pauses) || len(test.pauses) > 0 && !reflect.DeepEqual(*pauses, test.pauses) {
			t.Error(name, *pauses)
		}
	}
}

func TestCausesCanBeUnwrapped(t *testing.T) {
	client := clientWith(t, inTurn(failing(syscall.ECONNREFUSED)), WithMaxRetries(0))
	_, err := client.Verify(context.Background(), "1")
	var failed *ConnectionError
	if !errors.As(err, &failed) || failed.Code != "CONNECTION_FAILED" || !errors.Is(err, syscall.ECONNREFUSED) {
		t.Error(err)
	}
}

func TestCallerContext(t *testing.T) {
	var requests atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		requests.Add(1)
		time.Sleep(300 * time.Millisecond)
	}))
	defer server.Close()
	client := mustNew(t, WithBaseURL(server.URL))

	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	_, err := client.Lookup(ctx, "1")
	var failed *ConnectionError
	if !errors.As(err, &failed) || failed.Code != "TIMEOUT" || !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}

	ctx, cancel = context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	_, err = client.Lookup(ctx, "1")
	if !errors.As(err, &failed) || failed.Code != "CANCELED" || !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	server.Close()
	if count := requests.Load(); count != 2 {
		t.Error(count, "requests: a call that its caller has ended was tried again")
	}
}

func TestContextEndsPause(t *testing.T) {
	client := clientWith(t, inTurn(answering(429, "", "Retry-After", "30")))
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	started := time.Now()
	if _, err := client.Lookup(ctx, "1"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	limited, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	var failed *RateLimitError
	if _, err := client.Lookup(limited, "1"); !errors.As(err, &failed) {
		t.Error(err)
	}
	if took := time.Since(started); took > 5*time.Second {
		t.Error(took)
	}
}

// expectTimeout makes a call and expects it to end in TIMEOUT soon.
func expectTimeout(t *testing.T, options ...Option) {
	t.Helper()
	started := time.Now()
	_, err := mustNew(t, append(options, WithMaxRetries(0))...).Lookup(context.Background(), "1")
	var failed *ConnectionError
	if !errors.As(err, &failed) || failed.Code != "TIMEOUT" {
		t.Error(err)
	}
	if took := time.Since(started); took < 150*time.Millisecond || took > 3*time.Second {
		t.Error(took)
	}
}

func TestSlowBodyTimesOut(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			_, _ = w.Write([]byte(" "))
			w.(http.Flusher).Flush()
			time.Sleep(20 * time.Millisecond)
		}
	}))
	defer server.Close()
	expectTimeout(t, WithBaseURL(server.URL), WithTimeout(200*time.Millisecond))
}

// silent listens, and never responds.
func silent(t *testing.T) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	return listener.Addr().String()
}

func TestHandshakeTimesOut(t *testing.T) {
	expectTimeout(t, WithBaseURL("https://"+silent(t)), WithConnectTimeout(200*time.Millisecond))
}
