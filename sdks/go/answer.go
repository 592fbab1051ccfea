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
	if a.status != http.StatusOK {
		return nil, a.failure()
	}
	fields, err := readObject(a.body)
	if err != nil {
		return nil, a.unusable()
	}
	result, err := a.readResult(fields)
	if err != nil {
		return nil, a.unusable()
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
		result, err := a.readResult(fields)
		return BatchItem{Result: result}, err
	}
	code, ok := field[string](fields, "code")
	if !ok {
		code = codeUnexpected
	}
	return BatchItem{Failure: &VerificationFailedError{
		Code: code, Message: message, RequestID: a.header.Get("X-Request-Id"),
	}}, nil
}

func (a *answer) readResult(fields object) (*Result, error) {
	valid, ok := field[bool](fields, "valid")
	if !ok {
		return nil, errUnexpected
	}
	return &Result{
		Valid:               valid,
		Number:              text(fields, "number"),
		LocalFormat:         text(fields, "local_format"),
		InternationalFormat: text(fields, "international_format"),
		CountryPrefix:       text(fields, "country_prefix"),
		CountryCode:         text(fields, "country_code"),
		CountryName:         text(fields, "country_name"),
		Location:            text(fields, "location"),
		Carrier:             text(fields, "carrier"),
		LineType:            text(fields, "line_type"),
		NumberType:          textOr(fields, "number_type", "unknown"),
		Extension:           text(fields, "extension"),
		Possible:            booleanOr(fields, "possible", valid),
		Reason:              text(fields, "reason"),
		Suggestion:          readSuggestion(fields),
		ShortCode:           readShortCode(fields),
		TimeZones:           texts(fields, "time_zones"),
		CarrierSource:       textOr(fields, "carrier_source", "original_allocation"),
		NumberPortability:   boolean(fields, "number_portability"),
		Deliverability:      readDeliverability(fields),
		Reachability:        textOr(fields, "reachability", "not_checked"),
		Accepted:            boolean(fields, "accepted"),
		RejectedBecause:     text(fields, "rejected_because"),
		Status:              text(fields, "status"),
		Response:            a.info,
	}, nil
}

func readDeliverability(result object) Deliverability {
	fields, _ := field[object](result, "deliverability")
	return Deliverability{
		SMS: textOr(fields, "sms", "unknown"), Voice: textOr(fields, "voice", "unknown"), Flags: texts(fields, "flags"),
	}
}

// readQuota returns nil if there are no figures.
func readQuota(fields object) *Quota {
	used, ok := field[int](fields, "used")
	if !ok {
		return nil
	}
	keyCap, _ := field[object](fields, "key_cap")
	return &Quota{
		Plan:      text(fields, "plan"),
		Limit:     integer(fields, "limit"),
		Used:      used,
		Remaining: integer(fields, "remaining"),
		ResetsAt:  text(fields, "resets_at"),
		KeyCap:    readQuota(keyCap),
	}
}

func readSuggestion(result object) *Suggestion {
	fields, _ := field[object](result, "suggestion")
	number, isNumber := field[string](fields, "number")
	reason, isReason := field[string](fields, "reason")
	if !isNumber || !isReason {
		return nil
	}
	return &Suggestion{Number: number, Reason: reason}
}

func readShortCode(result object) *ShortCode {
	fields, _ := field[object](result, "short_code")
	cost, isCost := field[string](fields, "cost")
	emergency, isEmergency := field[bool](fields, "emergency")
	if !isCost || !isEmergency {
		return nil
	}
	return &ShortCode{Cost: cost, Emergency: emergency}
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
	message := fmt.Sprintf("The response (HTTP %d) is none of Checkline's", a.status)
	if a.status/100 == 3 {
		message += "; redirects are not followed"
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
		figures, _ := field[object](body, "quota")
		return &QuotaError{e.Code, e.Message, e.Status, e.RequestID, readQuota(figures)}
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
	fields, _ := field[object](body, "fields")
	read := make(map[string]string, len(fields))
	for name := range fields {
		if problem, ok := field[string](fields, name); ok {
			read[name] = problem
		}
	}
	return read
}
