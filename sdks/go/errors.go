package checkline

import "time"

// Error is what all failed calls have in common. Use errors.As with a *Error to
// match any of them, or with one of the types below to match only those.
type Error struct {
	// Code is a stable code for what happened, for example INVALID_API_KEY.
	// Unknown codes are passed on; UNEXPECTED_RESPONSE means a response that is
	// not the service's own.
	Code string
	// Message describes what happened.
	Message string
	// Status is the HTTP status, or 0 without a response and for an item of a
	// batch.
	Status int
	// RequestID is the X-Request-Id of the response, for support requests.
	RequestID string
}

// Error returns the code and the message.
func (e *Error) Error() string { return e.Code + ": " + e.Message }

// AuthenticationError means that the key is invalid, expired, or revoked, or
// lacks permission.
type AuthenticationError struct {
	// Code is the service's name for the error, for example INVALID_API_KEY, or
	// UNEXPECTED_RESPONSE.
	Code string
	// Message describes what happened.
	Message string
	// Status is the HTTP status: 401 or 403.
	Status int
	// RequestID is the X-Request-Id of the response, for support requests.
	RequestID string
}

// QuotaError means that the subscription's quota or the key's cap has too
// little left.
type QuotaError struct {
	// Code is the service's name for the error, for example QUOTA_EXCEEDED, or
	// UNEXPECTED_RESPONSE.
	Code string
	// Message describes what happened.
	Message string
	// Status is the HTTP status: 402.
	Status int
	// RequestID is the X-Request-Id of the response, for support requests.
	RequestID string
	// Quota has the figures of the limit that rejected the call: Limit, Used and Remaining.
	// Nil if there are none.
	Quota *Quota
}

// RateLimitError means too many requests.
type RateLimitError struct {
	// Code is the service's name for the error, for example RATE_LIMITED, or
	// UNEXPECTED_RESPONSE.
	Code string
	// Message describes what happened.
	Message string
	// Status is the HTTP status: 429.
	Status int
	// RequestID is the X-Request-Id of the response, for support requests.
	RequestID string
	// RetryAfter is how long to wait before the next call, 0 if the service
	// doesn't say.
	RetryAfter time.Duration
}

// InvalidRequestError means that the service rejected the request.
type InvalidRequestError struct {
	// Code is the service's name for the error, for example VALIDATION_FAILED, or
	// UNEXPECTED_RESPONSE.
	Code string
	// Message describes what happened.
	Message string
	// Status is the HTTP status: any other 4xx.
	Status int
	// RequestID is the X-Request-Id of the response, for support requests.
	RequestID string
	// Fields has the problem with each invalid field. Often empty.
	Fields map[string]string
}

// VerificationFailedError means that the number is one of the sandbox's nine
// failing numbers.
type VerificationFailedError struct {
	// Code is the service's name for the error, for example
	// REJECTED_SUBSCRIBER_ABSENT, or UNEXPECTED_RESPONSE.
	Code string
	// Message describes what happened.
	Message string
	// Status is the HTTP status: 400, or 0 for a batch item.
	Status int
	// RequestID is the X-Request-Id of the response, for support requests.
	RequestID string
}

// ServerError means that the service failed, or that its response is unusable:
// a redirect, a page, or unexpected JSON.
type ServerError struct {
	// Code is the service's name for the error, for example INTERNAL_ERROR, or
	// UNEXPECTED_RESPONSE.
	Code string
	// Message describes what happened.
	Message string
	// Status is the HTTP status: a 5xx, or that of the unusable response.
	Status int
	// RequestID is the X-Request-Id of the response, for support requests.
	RequestID string
}

// ConnectionError means that there was no response, or that it was cut off. As
// a *[Error] it has neither Status nor RequestID.
type ConnectionError struct {
	// Code is TIMEOUT, CONNECTION_FAILED, or, for a canceled context, CANCELED.
	Code string
	// Message describes what happened.
	Message string
	// Err is the underlying error, nil if its text would show the API key.
	Err error
}

// Error returns the code and the message.
func (e *AuthenticationError) Error() string { return e.base().Error() }

// Error returns the code and the message.
func (e *QuotaError) Error() string { return e.base().Error() }

// Error returns the code and the message.
func (e *RateLimitError) Error() string { return e.base().Error() }

// Error returns the code and the message.
func (e *InvalidRequestError) Error() string { return e.base().Error() }

// Error returns the code and the message.
func (e *VerificationFailedError) Error() string { return e.base().Error() }

// Error returns the code and the message.
func (e *ServerError) Error() string { return e.base().Error() }

// Error returns the code and the message.
func (e *ConnectionError) Error() string { return e.base().Error() }

// Unwrap returns the *Error.
func (e *AuthenticationError) Unwrap() error { return e.base() }

// Unwrap returns the *Error.
func (e *QuotaError) Unwrap() error { return e.base() }

// Unwrap returns the *Error.
func (e *RateLimitError) Unwrap() error { return e.base() }

// Unwrap returns the *Error.
func (e *InvalidRequestError) Unwrap() error { return e.base() }

// Unwrap returns the *Error.
func (e *VerificationFailedError) Unwrap() error { return e.base() }

// Unwrap returns the *Error.
func (e *ServerError) Unwrap() error { return e.base() }

// As passes the *Error to errors.As.
func (e *ConnectionError) As(target any) bool {
	base, ok := target.(**Error)
	if ok {
		*base = e.base()
	}
	return ok
}

// Unwrap returns Err: among others context.Canceled and
// context.DeadlineExceeded.
func (e *ConnectionError) Unwrap() error { return e.Err }

func (e *AuthenticationError) base() *Error     { return (*Error)(e) }
func (e *ServerError) base() *Error             { return (*Error)(e) }
func (e *VerificationFailedError) base() *Error { return (*Error)(e) }
func (e *QuotaError) base() *Error {
	return &Error{Code: e.Code, Message: e.Message, Status: e.Status, RequestID: e.RequestID}
}
func (e *RateLimitError) base() *Error {
	return &Error{Code: e.Code, Message: e.Message, Status: e.Status, RequestID: e.RequestID}
}
func (e *InvalidRequestError) base() *Error {
	return &Error{Code: e.Code, Message: e.Message, Status: e.Status, RequestID: e.RequestID}
}
func (e *ConnectionError) base() *Error { return &Error{Code: e.Code, Message: e.Message} }
