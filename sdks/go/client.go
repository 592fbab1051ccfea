package checkline

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Client calls the Checkline API. Create one with [New] and share it: it is
// safe for concurrent use, and keeps its connections open for the next call.
// Nothing it prints shows its key.
type Client struct {
	// In a closure, so that loggers and debuggers don't find the key in the
	// struct.
	authorization func() string
	baseURL       string
	host          string
	timeout       time.Duration
	maxRetries    int
	maxWait       time.Duration
	onResponse    func(ResponseInfo)
	http          *http.Client
	// ownHTTP reports whether http is the caller's.
	ownHTTP bool

	wait   func(context.Context, time.Duration) error
	random func() float64
}

// New creates a client. It fails if there is no key, or an option is invalid.
func New(options ...Option) (*Client, error) {
	s, err := newSettings(options)
	if err != nil {
		return nil, err
	}
	client := &http.Client{Transport: newTransport(s.connectTimeout)}
	if s.httpClient != nil {
		copied := *s.httpClient
		client = &copied
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	authorization := "Bearer " + s.apiKey
	address, err := url.Parse(s.baseURL)
	if err != nil {
		return nil, err
	}
	return &Client{
		authorization: func() string { return authorization },
		baseURL:       apiPath.ReplaceAllString(s.baseURL, "$1"),
		host:          address.Host,
		timeout:       s.timeout,
		maxRetries:    s.maxRetries,
		maxWait:       s.maxWait,
		onResponse:    s.onResponse,
		http:          client,
		ownHTTP:       s.httpClient != nil,
		wait:          wait,
		random:        random,
	}, nil
}

func newTransport(connectTimeout time.Duration) *http.Transport {
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: connectTimeout}).DialContext,
		TLSHandshakeTimeout: connectTimeout,
		ForceAttemptHTTP2:   true,
		MaxIdleConnsPerHost: 16,
		IdleConnTimeout:     90 * time.Second,
	}
}

// Verify verifies one number: with + and calling code, or in national format
// together with [WithCountry]. Bytes that are not UTF-8 are sent as U+FFFD.
func (c *Client) Verify(ctx context.Context, number string, options ...CallOption) (*Verification, error) {
	result, err := c.Lookup(ctx, number, options...)
	if err != nil {
		return nil, err
	}
	return &Verification{Valid: result.Valid, Carrier: result.Carrier}, nil
}

// Lookup verifies one number and returns everything known about it.
func (c *Client) Lookup(ctx context.Context, number string, options ...CallOption) (*Result, error) {
	call, err := newCall(options)
	if err != nil {
		return nil, err
	}
	answer, err := c.ask(ctx, "/verify", call, struct {
		Number string `json:"number"`
		conditions
	}{number, call.conditions})
	if err != nil {
		return nil, err
	}
	return answer.result()
}

// LookupBatch verifies up to 100 numbers at once. The items are in the order of
// the numbers; an item has a Failure if the verification of its number failed.
// The error is for the batch as a whole.
func (c *Client) LookupBatch(ctx context.Context, numbers []PhoneNumber, options ...CallOption) ([]BatchItem, error) {
	call, err := newCall(options)
	if err != nil {
		return nil, err
	}
	answer, err := c.ask(ctx, "/verify/batch", call, struct {
		Numbers []any `json:"numbers"`
		conditions
	}{batchItems(numbers), call.conditions})
	if err != nil {
		return nil, err
	}
	return answer.results(len(numbers))
}

// maxBatch is the maximum count of numbers in one request.
const maxBatch = 100

// LookupAll verifies any number of phone numbers, a hundred per request and
// several requests at a time, and calls each with the items of
// [Client.LookupBatch] in the order of the numbers, as they arrive. It stops at
// the first error and cancels pending requests: a request's error, after the
// items of earlier ones, or the one that each returns. To a
// [WithIdempotencyKey] it adds "-1", "-2" and so on for each request.
func (c *Client) LookupAll(
	ctx context.Context, numbers []PhoneNumber, each func(BatchItem) error, options ...CallOption,
) error {
	call, err := newCall(options)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type outcome struct {
		items []BatchItem
		err   error
	}
	var pending []chan outcome
	take := func() error {
		done := <-pending[0]
		pending = pending[1:]
		for _, item := range done.items {
			if err := each(item); err != nil {
				return err
			}
		}
		return done.err
	}
	for request := 1; len(numbers) > 0; request++ {
		chunk := numbers
		if len(chunk) > maxBatch {
			chunk = numbers[:maxBatch]
		}
		numbers = numbers[len(chunk):]
		own := append([]CallOption{}, options...)
		if call.ownKey {
			own = append(own, WithIdempotencyKey(fmt.Sprintf("%s-%d", call.idempotencyKey, request)))
		}
		done := make(chan outcome, 1)
		go func() {
			items, err := c.LookupBatch(ctx, chunk, own...)
			done <- outcome{items, err}
		}()
		if pending = append(pending, done); len(pending) == call.concurrency {
			if err := take(); err != nil {
				return err
			}
		}
	}
	for len(pending) > 0 {
		if err := take(); err != nil {
			return err
		}
	}
	return nil
}

// Quota returns what is left of the account's quota, and of the key's cap.
func (c *Client) Quota(ctx context.Context) (*Quota, error) {
	answer, err := c.ask(ctx, "/account/quota", nil, nil)
	if err != nil {
		return nil, err
	}
	return answer.quota()
}

// String describes the client without its key.
func (c *Client) String() string { return fmt.Sprintf("checkline.Client(%s)", c.baseURL) }

// GoString describes the client without its key.
func (c *Client) GoString() string { return c.String() }

// ask sends a request, with retries. Without a call it is a GET.
func (c *Client) ask(ctx context.Context, path string, call *call, body any) (*answer, error) {
	var encoded []byte
	if call != nil {
		var err error
		if encoded, err = json.Marshal(body); err != nil {
			return nil, err
		}
	}
	for attempt := 0; ; attempt++ {
		answer, err := c.attempt(ctx, path, call, encoded, attempt+1)
		if answer != nil && c.onResponse != nil {
			c.onResponse(answer.info)
		}
		if attempt >= c.maxRetries {
			return answer, err
		}
		length, again := pause(attempt, c.random()), true
		if answer != nil {
			length, again = pauseAfter(answer, length, c.maxWait)
		}
		if end, ok := ctx.Deadline(); !again || ok && time.Until(end) <= length {
			return answer, err
		}
		if err := c.wait(ctx, length); err != nil {
			return nil, c.connectionError(ctx, err)
		}
	}
}

func (c *Client) attempt(ctx context.Context, path string, call *call, body []byte, attempt int) (*answer, error) {
	began, method := time.Now(), http.MethodGet
	if call != nil {
		method = http.MethodPost
	}
	limited, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	request, err := c.request(limited, method, path, body)
	if err != nil {
		return nil, c.connectionError(ctx, err)
	}
	request.Header.Set("Accept", "application/json")
	if call != nil {
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Idempotency-Key", call.idempotencyKey)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, c.connectionError(ctx, err)
	}
	defer response.Body.Close()
	read, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, c.connectionError(ctx, err)
	}
	info := newResponseInfo(response.StatusCode, response.Header, attempt, time.Since(began))
	return &answer{response.StatusCode, response.Header, read, info}, nil
}

func (c *Client) request(ctx context.Context, method, path string, body []byte) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, method, c.baseURL+"/api/v1"+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	// Without it, the transport does not resend requests.
	request.GetBody = nil
	request.Header.Set("Authorization", c.authorization())
	request.Header.Set("User-Agent", "checkline-go/"+Version)
	return request, nil
}

// connectionError distinguishes the caller's context, a timeout, and other
// failures. Anything with the key in its text is neither quoted nor unwrapped,
// and for a caller's own HTTP client only the error's type is shown: its text
// may contain the request.
func (c *Client) connectionError(ctx context.Context, cause error) error {
	code, message := "CONNECTION_FAILED", "The connection to "+c.host+" failed"
	var network net.Error
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		code, message, cause = "CANCELED", "The call was canceled", ctx.Err()
	case ctx.Err() != nil || errors.As(cause, &network) && network.Timeout():
		if ctx.Err() != nil {
			cause = ctx.Err()
		}
		code, message = "TIMEOUT", "No complete response from "+c.host+" in time"
	}
	if strings.Contains(cause.Error(), strings.TrimPrefix(c.authorization(), "Bearer ")) {
		return &ConnectionError{Code: code, Message: message + "."}
	}
	var sending *url.Error
	if errors.As(cause, &sending) {
		cause = sending.Err
	}
	reason := cause.Error()
	if c.ownHTTP {
		reason = fmt.Sprintf("%T", cause)
	}
	if code == "CONNECTION_FAILED" {
		message += " (" + reason + ")"
	}
	return &ConnectionError{Code: code, Message: message + ".", Err: cause}
}
