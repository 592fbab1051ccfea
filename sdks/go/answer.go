package checkline

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// answer is an HTTP answer, read to its end.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// errUnexpected means that a body is none of the service's.
var errUnexpected = errors.New("unexpected answer")

// plainResult is a Result without the rule that valid has to be there.
type plainResult Result

type wireResult struct {
	Valid *bool `json:"valid"`
	plainResult
}

type wireError struct {
	Error  *string         `json:"error"`
	Code   *string         `json:"code"`
	Fields json.RawMessage `json:"fields"`
}

func (a *answer) result() (*Result, error) {
	if a.status/100 != 2 {
		return nil, a.failure()
	}
	result, err := readResult(a.body)
	if err != nil {
		return nil, &ServerError{a.unexpected()}
	}
	return result, nil
}

// results reads the answer to a batch of count numbers.
func (a *answer) results(count int) ([]BatchItem, error) {
	if a.status/100 != 2 {
		return nil, a.failure()
	}
	var body struct {
		Results []json.RawMessage `json:"results"`
	}
	if json.Unmarshal(a.body, &body) != nil || body.Results == nil || len(body.Results) != count {
		return nil, &ServerError{a.unexpected()}
	}
	items := make([]BatchItem, count)
	for index, item := range body.Results {
		if err := a.readItem(item, &items[index]); err != nil {
			return nil, &ServerError{a.unexpected()}
		}
	}
	return items, nil
}

func (a *answer) readItem(body []byte, item *BatchItem) (err error) {
	var probe struct {
		Error json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(body, &probe); err != nil {
		return err
	}
	if probe.Error == nil {
		item.Result, err = readResult(body)
		return err
	}
	failure, err := readError(body)
	if err != nil {
		return err
	}
	item.Failure = &VerificationFailedError{Error{
		Code: *failure.Code, Message: *failure.Error, RequestID: a.header.Get("X-Request-Id"),
	}}
	return nil
}

func readResult(body []byte) (*Result, error) {
	var wire wireResult
	if err := json.Unmarshal(body, &wire); err != nil {
		return nil, err
	}
	if wire.Valid == nil {
		return nil, errUnexpected
	}
	result := Result(wire.plainResult)
	result.Valid = *wire.Valid
	if result.TimeZones == nil {
		result.TimeZones = []string{}
	}
	if result.Deliverability != nil && result.Deliverability.Flags == nil {
		result.Deliverability.Flags = []string{}
	}
	return &result, nil
}

func readError(body []byte) (*wireError, error) {
	var wire wireError
	if err := json.Unmarshal(body, &wire); err != nil {
		return nil, err
	}
	if wire.Error == nil || wire.Code == nil {
		return nil, errUnexpected
	}
	return &wire, nil
}

// failure is the error that an answer outside 2xx stands for.
func (a *answer) failure() error {
	wire, err := readError(a.body)
	if err != nil {
		return a.typed(a.unexpected(), nil)
	}
	return a.typed(Error{
		Code: *wire.Code, Message: *wire.Error, Status: a.status, RequestID: a.header.Get("X-Request-Id"),
	}, wire.Fields)
}

func (a *answer) unexpected() Error {
	message := fmt.Sprintf("The answer (HTTP %d) is none of Checkline's", a.status)
	if a.status/100 == 3 {
		message += "; redirects are not followed"
	}
	return Error{
		Code: "UNEXPECTED_ANSWER", Message: message + ".", Status: a.status, RequestID: a.header.Get("X-Request-Id"),
	}
}

func (a *answer) typed(e Error, fields []byte) error {
	switch {
	case a.status == http.StatusUnauthorized || a.status == http.StatusForbidden:
		return &AuthenticationError{e}
	case a.status == http.StatusPaymentRequired:
		return &QuotaError{e}
	case a.status == http.StatusTooManyRequests:
		after, _ := a.retryAfter()
		return &RateLimitError{e, after}
	case a.status == http.StatusBadRequest && strings.HasPrefix(e.Message, "verification failed"):
		return &VerificationFailedError{e}
	case a.status/100 == 4:
		return &InvalidRequestError{e, texts(fields)}
	default:
		return &ServerError{e}
	}
}

// texts reads a JSON object of texts and leaves out all else.
func texts(object []byte) map[string]string {
	var fields map[string]any
	_ = json.Unmarshal(object, &fields)
	read := make(map[string]string, len(fields))
	for name, value := range fields {
		if text, ok := value.(string); ok {
			read[name] = text
		}
	}
	return read
}
