package checkline

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"time"
)

// DefaultBaseURL is the service's default address.
const DefaultBaseURL = "https://checkline.example"

// longestTimeout is the longest that timers on every platform can wait.
const longestTimeout = (1<<31 - 1) * time.Millisecond

// apiPath matches a base URL and an optional API path. A host named "api" is
// not part of the path.
var apiPath = regexp.MustCompile(`(?i)^(https?://[^/]+.*?)(/+api/v1)?/*$`)

// ErrNoAPIKey is what [New] returns without a key.
var ErrNoAPIKey = errors.New("checkline: no API key: use WithAPIKey or set CHECKLINE_API_KEY")

// Option configures a [Client].
type Option func(*settings)

type settings struct {
	apiKey         string
	baseURL        string
	timeout        time.Duration
	connectTimeout time.Duration
	maxRetries     int
	httpClient     *http.Client
	maxWait        time.Duration
	onResponse     func(ResponseInfo)
}

// WithAPIKey sets the key, printable ASCII characters without spaces. Defaults
// to the environment variable CHECKLINE_API_KEY.
func WithAPIKey(key string) Option { return func(s *settings) { s.apiKey = key } }

// WithBaseURL sets the service's address: https, or http on this machine,
// without user, query, and fragment, with or without a trailing /api/v1.
// Defaults to the environment variable CHECKLINE_BASE_URL, then
// [DefaultBaseURL].
func WithBaseURL(address string) Option { return func(s *settings) { s.baseURL = address } }

// WithTimeout limits each attempt, through the last byte of its response. It is
// 10 seconds by default. The deadline of a call's context limits it as a whole,
// with its retries and waits: a wait that doesn't fit isn't started, and the
// error is returned immediately.
func WithTimeout(limit time.Duration) Option { return func(s *settings) { s.timeout = limit } }

// WithConnectTimeout limits opening a connection. The default is 5 seconds. A
// client passed to [WithHTTPClient] has its own limit.
func WithConnectTimeout(limit time.Duration) Option {
	return func(s *settings) { s.connectTimeout = limit }
}

// WithMaxRetries sets how often to retry a call after connection errors, 429,
// and 5xx. It is 2 by default.
func WithMaxRetries(count int) Option { return func(s *settings) { s.maxRetries = count } }

// WithMaxWait limits the Retry-After wait to accept. If the service asks for
// more, the error is returned immediately. It is 60 seconds by default.
func WithMaxWait(limit time.Duration) Option { return func(s *settings) { s.maxWait = limit } }

// WithOnResponse sets a function that is called with each response, including
// retried ones, for logging. Concurrent calls call it concurrently.
func WithOnResponse(call func(ResponseInfo)) Option {
	return func(s *settings) { s.onResponse = call }
}

// WithHTTPClient sends requests with your own client, for its transport,
// proxies, and tracing. The client is not changed; redirects are not followed
// regardless of its CheckRedirect, so that the key reaches no other host.
func WithHTTPClient(client *http.Client) Option {
	return func(s *settings) { s.httpClient = client }
}

func newSettings(options []Option) (*settings, error) {
	s := &settings{
		apiKey:         os.Getenv("CHECKLINE_API_KEY"),
		baseURL:        os.Getenv("CHECKLINE_BASE_URL"),
		timeout:        10 * time.Second,
		connectTimeout: 5 * time.Second,
		maxRetries:     2,
		maxWait:        60 * time.Second,
	}
	if s.baseURL == "" {
		s.baseURL = DefaultBaseURL
	}
	for _, option := range options {
		option(s)
	}
	return s, s.check()
}

// loopback has the hosts that a key may be sent to over http: anywhere else,
// anyone on the network path could read it.
var loopback = map[string]bool{"localhost": true, "127.0.0.1": true, "::1": true}

const badURL = "checkline: the base URL must be an https URL without user, query, or fragment; " +
	"http is only for localhost, 127.0.0.1, and [::1]"

// check's errors contain neither the key nor the base URL, which may contain a
// password.
func (s *settings) check() error {
	if s.apiKey == "" {
		return ErrNoAPIKey
	}
	if !printable(s.apiKey) {
		return errors.New("checkline: the API key has characters that no key has")
	}
	address, err := url.Parse(s.baseURL)
	if err != nil || address.Hostname() == "" || (address.Scheme != "https" && address.Scheme != "http") {
		return errors.New(badURL)
	}
	if address.Scheme == "http" && !loopback[strings.ToLower(address.Hostname())] {
		return errors.New(badURL)
	}
	if address.User != nil || strings.ContainsAny(s.baseURL, "?#") {
		return errors.New(badURL)
	}
	// Building a module for a site replaces the default with the site's address.
	if strings.HasSuffix(strings.ToLower(address.Hostname()), ".example") {
		return errors.New("checkline: there's no service at a .example address: use WithBaseURL or set CHECKLINE_BASE_URL to yours")
	}
	for _, limit := range []time.Duration{s.timeout, s.connectTimeout} {
		if limit <= 0 || limit > longestTimeout {
			return fmt.Errorf("checkline: timeouts must be above 0 and at most %v", longestTimeout)
		}
	}
	if s.maxWait < 0 || s.maxWait > longestTimeout {
		return fmt.Errorf("checkline: the longest wait must be 0 or more, and at most %v", longestTimeout)
	}
	if s.maxRetries < 0 {
		return fmt.Errorf("checkline: %d retries", s.maxRetries)
	}
	return nil
}

// CallOption configures one call.
type CallOption func(*call)

type call struct {
	conditions
	idempotencyKey string
	ownKey         bool
	concurrency    int
}

// conditions are a request's fields besides its numbers.
type conditions struct {
	Country           string       `json:"country,omitempty"`
	ExpectCountry     string       `json:"expect_country,omitempty"`
	AcceptTypes       []NumberType `json:"accept_types,omitempty"`
	AcceptLineTypes   []LineType   `json:"accept_line_types,omitempty"`
	RejectUnallocated bool         `json:"reject_unallocated,omitempty"`
}

// WithCountry sets the country for numbers in national format (ISO 3166-1
// alpha-2).
func WithCountry(code string) CallOption { return func(c *call) { c.Country = code } }

// WithExpectCountry sets the ISO 3166-1 alpha-2 country that numbers must
// belong to. It sets a result's Accepted.
func WithExpectCountry(code string) CallOption {
	return func(c *call) { c.ExpectCountry = code }
}

// WithAcceptTypes sets the number types to accept, for example
// [NumberTypeMobile]. It sets a result's Accepted.
func WithAcceptTypes(types ...NumberType) CallOption {
	return func(c *call) { c.AcceptTypes = append([]NumberType{}, types...) }
}

// WithAcceptLineTypes sets the line types to accept, for example
// [LineTypeMobile] and "unknown". It sets a result's Accepted.
func WithAcceptLineTypes(types ...LineType) CallOption {
	return func(c *call) { c.AcceptLineTypes = append([]LineType{}, types...) }
}

// WithRejectUnallocated rejects numbers in unassigned ranges. It sets a result's
// Accepted.
func WithRejectUnallocated() CallOption {
	return func(c *call) { c.RejectUnallocated = true }
}

// WithIdempotencyKey identifies a call, so that it is counted once even if your
// program repeats it: 1 to 255 printable ASCII characters without spaces. With
// any other key the call fails, and nothing is sent.
func WithIdempotencyKey(key string) CallOption {
	return func(c *call) { c.idempotencyKey, c.ownKey = key, true }
}

// WithConcurrency sets the most concurrent requests of a [Client.LookupAll]. It
// is 4 by default; other calls make one request.
func WithConcurrency(most int) CallOption { return func(c *call) { c.concurrency = most } }

func newCall(options []CallOption) (*call, error) {
	c := &call{concurrency: 4}
	for _, option := range options {
		option(c)
	}
	if !c.ownKey {
		c.idempotencyKey = randomKey()
	}
	if len(c.idempotencyKey) > 255 || !printable(c.idempotencyKey) {
		return nil, errors.New("checkline: the idempotency key must be 1 to 255 printable ASCII characters without spaces")
	}
	if c.concurrency < 1 {
		return nil, errors.New("checkline: the concurrency must be 1 or more")
	}
	return c, nil
}

// printable reports whether a header can carry a text unchanged.
func printable(text string) bool {
	return text != "" && strings.IndexFunc(text, func(r rune) bool { return r < '!' || r > '~' }) < 0
}
