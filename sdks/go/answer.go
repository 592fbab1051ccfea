package checkline

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

const codeUnexpected = "UNEXPECTED_ANSWER"

// sandboxCodes is what the sandbox's failing scenarios have as their code.
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

// answer is an HTTP answer, read to its end.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// errUnexpected means that a body is none of the service's.
var errUnexpected = errors.New("unexpected answer")

func (a *answer) result() (*Result, error) {
	if a.status != http.StatusOK {
		return nil, a.failure()
	}
	fields, err := readObject(a.body)
	if err != nil {
		return nil, a.unusable()
	}
	result, err := readResult(fields)
	if err != nil {
		return nil, a.unusable()
	}
	return result, nil
}

// results reads the answer to a batch of count numbers.
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
		result, err := readResult(fields)
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

func readResult(fields object) (*Result, error) {
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
		NumberType:          text(fields, "number_type"),
		Extension:           text(fields, "extension"),
		Possible:            boolean(fields, "possible"),
		Reason:              text(fields, "reason"),
		Suggestion:          readSuggestion(fields),
		ShortCode:           readShortCode(fields),
		TimeZones:           texts(fields, "time_zones"),
		CarrierSource:       text(fields, "carrier_source"),
		NumberPortability:   boolean(fields, "number_portability"),
		Deliverability:      readDeliverability(fields),
		Reachability:        text(fields, "reachability"),
		Accepted:            boolean(fields, "accepted"),
		RejectedBecause:     text(fields, "rejected_because"),
		Status:              text(fields, "status"),
	}, nil
}

func readDeliverability(result object) *Deliverability {
	fields, ok := field[object](result, "deliverability")
	if !ok {
		return nil
	}
	return &Deliverability{
		SMS: text(fields, "sms"), Voice: text(fields, "voice"), Flags: texts(fields, "flags"),
	}
}

func readSuggestion(result object) *Suggestion {
	fields, ok := field[object](result, "suggestion")
	if !ok {
		return nil
	}
	return &Suggestion{Number: text(fields, "number"), Reason: text(fields, "reason")}
}

func readShortCode(result object) *ShortCode {
	fields, ok := field[object](result, "short_code")
	if !ok {
		return nil
	}
	return &ShortCode{Cost: text(fields, "cost"), Emergency: boolean(fields, "emergency")}
}

// failure is the error that an answer other than a 200 stands for.
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
	message := fmt.Sprintf("The answer (HTTP %d) is none of Checkline's", a.status)
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
		return (*QuotaError)(&e)
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

// problems reads what an answer says about the fields of a request.
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
