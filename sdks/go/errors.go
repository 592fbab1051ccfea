package checkline

import "time"

// Error is the base of all call errors. Use errors.As with *Error to match any
// of them, or with a type below to match only that type.
type Error struct {
	// Code is a stable name for the error, for example INVALID_API_KEY. Codes that
	// this version doesn't recognize are passed through. UNEXPECTED_RESPONSE means
	// that the response isn't the service's.
	Code string
	// Message describes the error.
	Message string
	// Status is the HTTP status, or 0 without a response and for a batch item.
	Status int
	// RequestID is the response's X-Request-Id. Include it when you contact
	// support.
	RequestID string
}

// Error returns the code and the message.
func (e *Error) Error() string { return e.Code + ": " + e.Message }

// AuthenticationError means that the key is wrong, expired, revoked, or not
// allowed to do this.
type AuthenticationError struct {
	// Code is the service's name for the error, for example INVALID_API_KEY, or
	// UNEXPECTED_RESPONSE.
	Code string
	// Message describes the error.
	Message string
	// Status is the HTTP status: 401 or 403.
	Status int
	// RequestID is the response's X-Request-Id. Include it when you contact
	// support.
	RequestID string
}

// QuotaError means that the subscription's quota or the key's cap is too low
// for the call.
type QuotaError struct {
	// Code is the service's name for the error, for example QUOTA_EXCEEDED, or
	// UNEXPECTED_RESPONSE.
	Code string
	// Message describes the error.
	Message string
	// Status is the HTTP status: 402.
	Status int
	// RequestID is the response's X-Request-Id. Include it when you contact
	// support.
	RequestID string
	// Quota has the details of the quota or cap: Limit, Used, and Remaining. It is
	// nil without details.
	Quota *Quota
}

// RateLimitError means too many requests.
type RateLimitError struct {
	// Code is the service's name for the error, for example RATE_LIMITED, or
	// UNEXPECTED_RESPONSE.
	Code string
	// Message describes the error.
	Message string
	// Status is the HTTP status: 429.
	Status int
	// RequestID is the response's X-Request-Id. Include it when you contact
	// support.
	RequestID string
	// RetryAfter is the time to wait before the next call, 0 if unknown.
	RetryAfter time.Duration
}

// InvalidRequestError means that the request is invalid.
type InvalidRequestError struct {
	// Code is the service's name for the error, for example VALIDATION_FAILED, or
	// UNEXPECTED_RESPONSE.
	Code string
	// Message describes the error.
	Message string
	// Status is the HTTP status: any other 4xx.
	Status int
	// RequestID is the response's X-Request-Id. Include it when you contact
	// support.
	RequestID string
	// Fields lists what's wrong with each field. Often empty.
	Fields map[string]string
}

// VerificationFailedError means that the verification failed: a failing sandbox
// scenario.
type VerificationFailedError struct {
	// Code is the service's name for the error, for example
	// REJECTED_SUBSCRIBER_ABSENT, or UNEXPECTED_RESPONSE.
	Code string
	// Message describes the error.
	Message string
	// Status is the HTTP status: 400, or 0 for a batch item.
	Status int
	// RequestID is the response's X-Request-Id. Include it when you contact
	// support.
	RequestID string
}

// ServerError means that the service failed or its response is unusable: a
// redirect, a page, or unexpected JSON.
type ServerError struct {
	// Code is the service's name for the error, for example INTERNAL_ERROR, or
	// UNEXPECTED_RESPONSE.
	Code string
	// Message describes the error.
	Message string
	// Status is the HTTP status: a 5xx, or that of the unusable response.
	Status int
	// RequestID is the response's X-Request-Id. Include it when you contact
	// support.
	RequestID string
}

// ConnectionError means that there was no complete response. As a *[Error] it
// has neither Status nor RequestID.
type ConnectionError struct {
	// Code is TIMEOUT, CONNECTION_FAILED, or, for a canceled context, CANCELED.
	Code string
	// Message describes the error.
	Message string
	// Err is the cause, nil if its text would show the API key.
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

// As sets the *Error for errors.As.
func (e *ConnectionError) As(target any) bool {
	base, ok := target.(**Error)
	if ok {
		*base = e.base()
	}
	return ok
}

// Unwrap returns Err, such as context.Canceled or context.DeadlineExceeded.
func (e *ConnectionError) Unwrap() error { return e.Err }

func (e *AuthenticationError) base() *Error     { return (*Error)(e) }
func (e *VerificationFailedError) base() *Error { return (*Error)(e) }
func (e *ServerError) base() *Error             { return (*Error)(e) }
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
