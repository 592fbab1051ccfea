package checkline

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"
)

const (
	// A request's lines fit into a connection's buffers, whichever side reads
	// first.
	maxLines = 500
	maxBytes = 32768
	// keepAlive is how long the service waits until it sends an empty line.
	keepAlive = 10 * time.Second
)

// LookupStream verifies any number of phone numbers and calls each with their
// items, in order, as they arrive. It calls next for the numbers as items are
// consumed, and sends 500 at a time; the service waits when the account's number
// limit is reached. At io.EOF, the numbers end. It stops at the first error: the
// one that each returns, the one that next returns, after the items of earlier
// numbers, or the call's own, after which no number was verified. A connection
// that is cut off isn't retried, since its numbers may have been counted.
func (c *Client) LookupStream(
	ctx context.Context, next func() (PhoneNumber, error), each func(StreamItem) error, options ...CallOption,
) error {
	call, err := newCall(options)
	if err != nil {
		return err
	}
	if call.ownKey {
		return errors.New("checkline: a stream has no idempotency key")
	}
	for {
		lines, ended := readLines(next, call.conditions)
		for retries := 0; len(lines) > 0; retries++ {
			answered, wait, err := c.sendLines(ctx, lines, each, retries)
			if err != nil {
				return err
			}
			lines = lines[answered:]
			if len(lines) == 0 {
				break
			}
			if err := c.wait(ctx, wait); err != nil {
				return c.connectionError(ctx, err)
			}
		}
		if errors.Is(ended, io.EOF) {
			return nil
		}
		if ended != nil {
			return ended
		}
	}
}

// readLines returns the lines of the next request, and the error that ended the
// numbers.
func readLines(next func() (PhoneNumber, error), shared conditions) ([][]byte, error) {
	var lines [][]byte
	for size := 0; len(lines) < maxLines && size < maxBytes; {
		number, err := next()
		if err != nil {
			return lines, err
		}
		own := shared
		if number.Country != "" {
			own.Country = number.Country
		}
		if number.ExpectCountry != "" {
			own.ExpectCountry = number.ExpectCountry
		}
		line, err := json.Marshal(struct {
			Number string `json:"number"`
			conditions
		}{number.Number, own})
		if err != nil {
			return lines, err
		}
		lines = append(lines, append(line, '\n'))
		size += len(line)
	}
	return lines, nil
}

// sendLines makes one attempt at some lines, and returns how many have items and
// the wait until the rest may be sent again.
func (c *Client) sendLines(
	ctx context.Context, lines [][]byte, each func(StreamItem) error, retries int,
) (int, time.Duration, error) {
	limited, cancel := context.WithCancel(ctx)
	defer cancel()
	watch := newWatch(c.timeout, cancel)
	request, err := c.request(limited, http.MethodPost, "/verify/stream", bytes.Join(lines, nil))
	if err != nil {
		return 0, 0, c.connectionError(ctx, err)
	}
	request.Header.Set("Accept", "application/x-ndjson")
	request.Header.Set("Content-Type", "application/x-ndjson")
	began := time.Now()
	watch.start()
	response, err := c.http.Do(request)
	watch.stop()
	if err != nil {
		return 0, 0, c.connectionError(ctx, watch.error(err))
	}
	defer response.Body.Close()
	watch.body = response.Body
	info := newResponseInfo(response.StatusCode, response.Header, retries+1, time.Since(began))
	if c.onResponse != nil {
		c.onResponse(info)
	}
	opened := &answer{response.StatusCode, response.Header, nil, info}
	if opened.status == http.StatusOK {
		answered, ending, err := c.readItems(ctx, bufio.NewReader(watch), opened, len(lines), each)
		if err != nil || ending == nil {
			return answered, 0, err
		}
		asked, isAsked := ending.retryAfter()
		if ending.status == http.StatusServiceUnavailable && isAsked && asked <= c.maxWait && retries < c.maxRetries {
			return answered, asked, nil
		}
		return answered, 0, ending.failure()
	}
	if opened.body, err = io.ReadAll(watch); err != nil {
		return 0, 0, c.connectionError(ctx, watch.error(err))
	}
	if asked, again := pauseAfter(opened, pause(retries, c.random()), c.maxWait); again && retries < c.maxRetries {
		return 0, asked, nil
	}
	return 0, 0, opened.failure()
}

// readItems passes the items of a response to each, and returns how many there
// were, and the line that ended the stream, if one did.
func (c *Client) readItems(
	ctx context.Context, body *bufio.Reader, opened *answer, count int, each func(StreamItem) error,
) (int, *answer, error) {
	answered := 0
	for {
		line, err := body.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return answered, nil, c.connectionError(ctx, err)
		}
		if len(bytes.TrimSpace(line)) > 0 {
			item, ending := opened.streamItem(line)
			if ending != nil {
				return answered, ending, nil
			}
			if answered == count || item == (StreamItem{}) {
				return answered, nil, opened.unusable()
			}
			answered++
			if err := each(item); err != nil {
				return answered, nil, err
			}
		}
		if err == nil {
			continue
		}
		if answered < count {
			return answered, nil, opened.unusable()
		}
		return answered, nil, nil
	}
}

// streamItem parses a line: an item, which is empty if the line is unusable, or
// the error that ends the stream, as the answer to a single call.
func (a *answer) streamItem(line []byte) (StreamItem, *answer) {
	fields, err := readObject(line)
	if err != nil {
		return StreamItem{}, nil
	}
	if result := readResult(fields, a.info); result != nil {
		return StreamItem{Result: result}, nil
	}
	status, _ := field[int](fields, "http_status")
	header := http.Header{"X-Request-Id": a.header["X-Request-Id"]}
	if seconds, ok := field[int](fields, "retry_after"); ok {
		header.Set("Retry-After", strconv.Itoa(seconds))
	}
	failed := &answer{status, header, line, a.info}
	if ended, _ := field[bool](fields, "ended"); ended {
		return StreamItem{}, failed
	}
	switch failure := failed.failure().(type) {
	case *VerificationFailedError, *InvalidRequestError:
		return StreamItem{Failure: failure}, nil
	}
	return StreamItem{}, nil
}

// watch reads a body, and cancels its request if no data arrives for too long.
type watch struct {
	body  io.Reader
	limit time.Duration
	timer *time.Timer
	late  atomic.Bool
}

func newWatch(timeout time.Duration, cancel func()) *watch {
	w := &watch{limit: timeout + keepAlive}
	w.timer = time.AfterFunc(w.limit, func() {
		w.late.Store(true)
		cancel()
	})
	w.timer.Stop()
	return w
}

func (w *watch) start() { w.timer.Reset(w.limit) }

func (w *watch) stop() { w.timer.Stop() }

// Read doesn't count the time between its calls, which is the reader's.
func (w *watch) Read(into []byte) (int, error) {
	w.start()
	defer w.stop()
	count, err := w.body.Read(into)
	return count, w.error(err)
}

// error is that of a timeout if the watch canceled the request.
func (w *watch) error(err error) error {
	if err != nil && w.late.Load() {
		return context.DeadlineExceeded
	}
	return err
}
