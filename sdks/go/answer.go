package checkline

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

const codeUnexpected = "UNEXPECTED_RESPONSE"

// sandboxCodes has the codes of the sandbox's failing scenarios.
var sandboxCodes = map[string]bool{
	"REJECTED_NETWORK":            true,
	"REJECTED_FORMAT":             true,
	"REJECTED_PREFIX_MISSING":     true,
	"REJECTED_SUBSCRIBER_ABSENT":  true,
	"REJECTED_UNKNOWN_SUBSCRIBER": true,
	"REJECTED_UNDELIVERABLE":      true,
	"UNDELIVERABLE_NOT_DELIVERED": true,
	"TEMPORARY_FAILURE":           true,
	"SERVICE_UNAVAILABLE":         true,
}

// answer is a fully read HTTP response.
type answer struct {
	status int
	header http.Header
	body   []byte
	info   ResponseInfo
}

// errUnexpected means that a body is not the service's.
var errUnexpected = errors.New("unexpected answer")

func (a *answer) result() (*Result, error) {
	// Without JSON, there are no fields.
	fields, _ := readObject(a.body)
	var result *Result
	switch a.status {
	case http.StatusOK:
		result = readResult(fields, a.info)
	case http.StatusBadRequest:
		// With a test key, an input that is too short has its result here.
		result = readResult(nested(fields, "result"), a.info)
	}
	if result == nil {
		return nil, a.failure()
	}
	return result, nil
}

func (a *answer) quota() (*Quota, error) {
	if a.status != http.StatusOK {
		return nil, a.failure()
	}
	fields, err := readObject(a.body)
	if err != nil {
		return nil, a.unusable()
	}
	quota := readQuota(fields)
	if quota == nil {
		return nil, a.unusable()
	}
	return quota, nil
}

// results parses the response to a batch of count numbers.
func (a *answer) results(count int) ([]BatchItem, error) {
	if a.status != http.StatusOK {
		return nil, a.failure()
	}
	body, err := readObject(a.body)
	if err != nil {
		return nil, a.unusable()
	}
	results, ok := field[[]json.RawMessage](body, "results")
	if !ok || len(results) != count {
		return nil, a.unusable()
	}
	items := make([]BatchItem, count)
	for index, item := range results {
		if items[index], err = a.readItem(item); err != nil {
			return nil, a.unusable()
		}
	}
	return items, nil
}

func (a *answer) readItem(body []byte) (BatchItem, error) {
	fields, err := readObject(body)
	if err != nil {
		return BatchItem{}, err
	}
	message, failed := field[string](fields, "error")
	if !failed {
		result := readResult(fields, a.info)
		if result == nil {
			return BatchItem{}, errUnexpected
		}
		return BatchItem{Result: result}, nil
	}
	code, ok := field[string](fields, "code")
	if !ok {
		code = codeUnexpected
	}
	return BatchItem{Failure: &VerificationFailedError{
		Code: code, Message: message, RequestID: a.header.Get("X-Request-Id"),
	}}, nil
}

// readQuota returns nil if there are no figures.
func readQuota(fields object) *Quota {
	used, ok := field[int](fields, "used")
	if !ok {
		return nil
	}
	return &Quota{
		Plan:      text[string](fields, "plan"),
		Limit:     integer(fields, "limit"),
		Used:      used,
		Remaining: integer(fields, "remaining"),
		ResetsAt:  text[string](fields, "resets_at"),
		KeyCap:    readQuota(nested(fields, "key_cap")),
	}
}

// failure is the error of a response other than a 200.
func (a *answer) failure() error {
	if a.status < http.StatusBadRequest {
		return a.unusable()
	}
	fields, err := readObject(a.body)
	if err != nil {
		return a.typed(a.unexpected(), nil)
	}
	message, hasMessage := field[string](fields, "error")
	code, hasCode := field[string](fields, "code")
	if !hasMessage || !hasCode {
		return a.typed(a.unexpected(), nil)
	}
	return a.typed(Error{
		Code: code, Message: message, Status: a.status, RequestID: a.header.Get("X-Request-Id"),
	}, fields)
}

func (a *answer) unusable() error {
	e := a.unexpected()
	return (*ServerError)(&e)
}

func (a *answer) unexpected() Error {
	message := fmt.Sprintf("Unexpected response (HTTP %d)", a.status)
	if a.status/100 == 3 {
		message += ": redirects aren't followed"
	}
	return Error{
		Code: codeUnexpected, Message: message + ".", Status: a.status, RequestID: a.header.Get("X-Request-Id"),
	}
}

func (a *answer) typed(e Error, body object) error {
	switch {
	case a.status == http.StatusUnauthorized || a.status == http.StatusForbidden:
		return (*AuthenticationError)(&e)
	case a.status == http.StatusPaymentRequired:
		return &QuotaError{e.Code, e.Message, e.Status, e.RequestID, readQuota(nested(body, "quota"))}
	case a.status == http.StatusTooManyRequests:
		after, _ := a.retryAfter()
		return &RateLimitError{e.Code, e.Message, e.Status, e.RequestID, after}
	case a.status == http.StatusBadRequest && sandboxCodes[e.Code]:
		return (*VerificationFailedError)(&e)
	case a.status/100 == 4:
		return &InvalidRequestError{e.Code, e.Message, e.Status, e.RequestID, problems(body)}
	default:
		return (*ServerError)(&e)
	}
}

// problems parses what a response says about a request's fields.
func problems(body object) map[string]string {
	fields := nested(body, "fields")
	read := make(map[string]string, len(fields))
	for name := range fields {
		if problem, ok := field[string](fields, name); ok {
			read[name] = problem
		}
	}
	return read
}
