package checkline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	testKey    = "ch_test_KeyOfTheUnitTests0123456789abcdefghij"
	testAnswer = `{"valid":true,"number":"+5511987654321","carrier":"TIM","line_type":"mobile"}`
)

// transport responds to requests without a network.
type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }

func reply(status int, body string, header ...string) *http.Response {
	response := &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
	for i := 0; i+1 < len(header); i += 2 {
		response.Header.Set(header[i], header[i+1])
	}
	return response
}

func mustNew(t *testing.T, options ...Option) *Client {
	t.Helper()
	client, err := New(append([]Option{WithAPIKey(testKey), WithBaseURL("https://api.test")}, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func clientWith(t *testing.T, f transport, options ...Option) *Client {
	t.Helper()
	return mustNew(t, append(options, WithHTTPClient(&http.Client{Transport: f}))...)
}

func TestDefaults(t *testing.T) {
	client := mustNew(t)
	if client.timeout != 10*time.Second || client.maxRetries != 2 || client.maxWait != time.Minute {
		t.Error(client.timeout, client.maxRetries, client.maxWait)
	}
	if got := client.http.Transport.(*http.Transport).TLSHandshakeTimeout; got != 5*time.Second {
		t.Error(got)
	}
}

// A module served by a site has the site's address; the sources' address
// belongs to no one.
func TestPlaceholderAddressIsRejected(t *testing.T) {
	t.Setenv("CHECKLINE_BASE_URL", "")
	for _, options := range [][]Option{{}, {WithBaseURL("https://checkline.example")}, {WithBaseURL("https://api.EXAMPLE:8443/api/v1")}} {
		_, err := New(append(options, WithAPIKey(testKey))...)
		if err == nil || !strings.Contains(err.Error(), "use WithBaseURL or set CHECKLINE_BASE_URL") {
			t.Error(err)
		}
	}
}

func TestEnvironment(t *testing.T) {
	t.Setenv("CHECKLINE_API_KEY", testKey)
	t.Setenv("CHECKLINE_BASE_URL", "https://api.test/")
	var asked *http.Request
	answering := transport(func(request *http.Request) (*http.Response, error) {
		asked = request
		return reply(200, testAnswer), nil
	})
	client, err := New(WithHTTPClient(&http.Client{Transport: answering}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Verify(context.Background(), "+5511987654321"); err != nil {
		t.Fatal(err)
	}
	if asked.URL.String() != "https://api.test/api/v1/verify" || asked.Header.Get("Authorization") != "Bearer "+testKey {
		t.Error(asked.URL)
	}
}

func TestMissingKey(t *testing.T) {
	t.Setenv("CHECKLINE_API_KEY", "")
	if _, err := New(); !errors.Is(err, ErrNoAPIKey) {
		t.Error(err)
	}
}

func TestInvalidOptions(t *testing.T) {
	for name, option := range map[string]Option{
		"no scheme":          WithBaseURL("checkline.test"),
		"another scheme":     WithBaseURL("ftp://checkline.test"),
		"no host":            WithBaseURL("https://"),
		"only a port":        WithBaseURL("https://:443"),
		"a password":         WithBaseURL("https://user:" + testKey + "@api.test"),
		"a user":             WithBaseURL("https://" + testKey + "@api.test"),
		"a broken password":  WithBaseURL("https://user:" + testKey + " %zz@api.test"),
		"a query":            WithBaseURL("https://api.test?key=" + testKey),
		"an empty query":     WithBaseURL("https://api.test?"),
		"a fragment":         WithBaseURL("https://api.test/#" + testKey),
		"an empty fragment":  WithBaseURL("https://api.test/#"),
		"no time":            WithTimeout(0),
		"no time to connect": WithConnectTimeout(-time.Second),
		"too much time":      WithTimeout(longestTimeout + 1),
		"an age to connect":  WithConnectTimeout(1<<63 - 1),
		"less than no wait":  WithMaxWait(-1),
		"an age to wait":     WithMaxWait(longestTimeout + 1),
		"fewer than none":    WithMaxRetries(-1),
		"http":               WithBaseURL("http://api.test"),
		"like this machine":  WithBaseURL("http://localhost.api.test"),
		"almost loopback":    WithBaseURL("http://127.0.0.1.api.test"),
		"another loopback":   WithBaseURL("http://127.0.0.2"),
		"no key":             WithAPIKey(""),
		"a key of two lines": WithAPIKey(testKey + "\nX-Other: 1"),
		"a key with a space": WithAPIKey(testKey + " "),
		"a key beyond ASCII": WithAPIKey(testKey + "é"),
	} {
		if _, err := New(WithAPIKey(testKey), option); err == nil || strings.Contains(err.Error(), testKey) {
			t.Error(name, err)
		}
	}
}

func TestBaseURLIgnoresTrailingSlashesAndAPIPath(t *testing.T) {
	for _, base := range []string{
		"https://api.test/v", "HTTP://LOCALHOST:8787", "http://[::1]:", "http://127.0.0.1", "https://h/a:", "https://api/v1",
	} {
		for _, end := range []string{"", "/", "///", "/api/v1", "/API/v1/", "//api/v1//"} {
			if client := mustNew(t, WithBaseURL(base+end)); client.baseURL != base {
				t.Error(base+end, client.baseURL)
			}
		}
	}
}

func TestIdempotencyKeys(t *testing.T) {
	keys := map[string]bool{}
	client := clientWith(t, func(request *http.Request) (*http.Response, error) {
		keys[request.Header.Get("Idempotency-Key")] = true
		return reply(200, testAnswer), nil
	})
	for i := 0; i < 3; i++ {
		if _, err := client.Verify(context.Background(), "+5511987654321"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := client.Verify(context.Background(), "+5511987654321", WithIdempotencyKey("mine")); err != nil {
		t.Fatal(err)
	}
	if len(keys) != 4 || !keys["mine"] {
		t.Error(keys)
	}
	for _, key := range []string{"", "a b", "a\r\nX-Other: 1", "é", "\xff", strings.Repeat("x", 256)} {
		if _, err := client.Verify(context.Background(), "1", WithIdempotencyKey(key)); err == nil {
			t.Errorf("%q was taken", key)
		}
		if _, err := client.LookupBatch(context.Background(), Numbers("1"), WithIdempotencyKey(key)); err == nil {
			t.Errorf("%q was taken", key)
		}
	}
	if len(keys) != 4 {
		t.Error("a call with a key that is none was sent")
	}
	if _, err := client.Verify(context.Background(), "1", WithIdempotencyKey(strings.Repeat("~", 255))); err != nil {
		t.Error(err)
	}
}

func TestHTTPClientIsNotChanged(t *testing.T) {
	requests := 0
	own := &http.Client{Transport: transport(func(*http.Request) (*http.Response, error) {
		requests++
		return reply(302, "", "Location", "https://elsewhere.test/"), nil
	})}
	_, err := mustNew(t, WithHTTPClient(own)).Lookup(context.Background(), "1")
	var unusable *ServerError
	if !errors.As(err, &unusable) || unusable.Status != 302 || requests != 1 {
		t.Error(err, requests)
	}
	if own.CheckRedirect != nil {
		t.Error("the caller's client was changed")
	}
}

func TestCallerErrors(t *testing.T) {
	cause := io.ErrUnexpectedEOF
	for _, err := range []error{
		&AuthenticationError{Code: "CODE", Message: "Message.", Status: 400, RequestID: "req_1"},
		&QuotaError{Code: "CODE", Message: "Message.", Status: 400, RequestID: "req_1"},
		&RateLimitError{Code: "CODE", Message: "Message.", Status: 400, RequestID: "req_1", RetryAfter: time.Second},
		&InvalidRequestError{Code: "CODE", Message: "Message.", Status: 400, RequestID: "req_1", Fields: map[string]string{}},
		&VerificationFailedError{Code: "CODE", Message: "Message.", Status: 400, RequestID: "req_1"},
		&ServerError{Code: "CODE", Message: "Message.", Status: 400, RequestID: "req_1"},
		&ConnectionError{Code: "CODE", Message: "Message.", Err: cause},
	} {
		want := Error{Code: "CODE", Message: "Message.", Status: 400, RequestID: "req_1"}
		if _, ok := err.(*ConnectionError); ok {
			want.Status, want.RequestID = 0, ""
			if !errors.Is(err, cause) {
				t.Error("without its cause")
			}
		}
		var base *Error
		if !errors.As(err, &base) || *base != want || err.Error() != "CODE: Message." {
			t.Errorf("%T: %v", err, base)
		}
	}
}

func TestErrorsMatchTheirTypeAndError(t *testing.T) {
	body := `{"error":"Too many requests.","code":"RATE_LIMITED"}`
	client := clientWith(t, func(*http.Request) (*http.Response, error) {
		return reply(429, body, "Retry-After", "120", "X-Request-Id", "req_1"), nil
	})
	_, err := client.Lookup(context.Background(), "1")
	err = fmt.Errorf("looking up: %w", err)
	var limited *RateLimitError
	if !errors.As(err, &limited) || limited.RetryAfter != 2*time.Minute || limited.Code != "RATE_LIMITED" {
		t.Error(err)
	}
	var base *Error
	if !errors.As(err, &base) || base.RequestID != "req_1" || base.Error() != "RATE_LIMITED: Too many requests." {
		t.Error(err)
	}
	var other *QuotaError
	if errors.As(err, &other) {
		t.Error("a rate limit is no used-up quota")
	}
}

func TestConcurrentUse(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Number string }
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		fmt.Fprintf(w, `{"valid":true,"number":%q}`, body.Number)
	}))
	defer server.Close()
	client := mustNew(t, WithBaseURL(server.URL))
	var all sync.WaitGroup
	for i := 0; i < 32; i++ {
		number := fmt.Sprintf("+55119876%05d", i)
		all.Add(1)
		go func() {
			defer all.Done()
			for range [20]struct{}{} {
				result, err := client.Lookup(context.Background(), number)
				if err != nil || result.Number != number {
					t.Error(number, result, err)
				}
			}
		}()
	}
	all.Wait()
}

func TestOnlyTheBuiltInTransportIsQuoted(t *testing.T) {
	cause := errors.New("could not send +5511987654321")
	failing := func(*http.Request) (*http.Response, error) { return nil, cause }
	_, err := clientWith(t, failing, WithMaxRetries(0)).Lookup(context.Background(), "+5511987654321")
	if err == nil || err.Error() != "CONNECTION_FAILED: The connection to api.test failed (*errors.errorString)." || !errors.Is(err, cause) {
		t.Error(err)
	}
	server := httptest.NewServer(nil)
	server.Close()
	_, err = mustNew(t, WithBaseURL(server.URL), WithMaxRetries(0)).Lookup(context.Background(), "1")
	if err == nil || !strings.Contains(err.Error(), "connection refused") {
		t.Error(err)
	}
}

func TestNothingShowsTheKey(t *testing.T) {
	client := clientWith(t, func(request *http.Request) (*http.Response, error) {
		return nil, fmt.Errorf("could not write %v", request.Header)
	}, WithMaxRetries(0))
	_, err := client.Lookup(context.Background(), "1")
	var failed *ConnectionError
	if !errors.As(err, &failed) {
		t.Fatal(err)
	}
	for _, value := range []any{client, *client, failed, *failed, failed.Unwrap(), failed.Err} {
		said := fmt.Sprintf("%v %+v %#v %s %q %x", value, value, value, value, value, value)
		serialized, _ := json.Marshal(value)
		if strings.Contains(said+string(serialized), testKey) {
			t.Errorf("%T shows the key", value)
		}
	}
}
