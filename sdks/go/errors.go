package checkline

import "time"

// Error is what all failed calls have in common. Use errors.As with a *Error
// to meet any of them, or with one of the types below to meet only those.
type Error struct {
	// Code is a stable name for what happened, for example INVALID_API_KEY.
	// Codes that this version does not know are passed on as they are;
	// UNEXPECTED_ANSWER stands for an answer that is not the service's own.
	Code string
	// Message says what happened in a sentence.
	Message string
	// Status is the HTTP status, or 0 where there was no answer, and for an
	// item of a batch.
	Status int
	// RequestID is the X-Request-Id of the answer, for questions to support.
	RequestID string

	cause error
}

// Error gives the code and the message.
func (e *Error) Error() string { return e.Code + ": " + e.Message }

// Unwrap gives what kept an answer from arriving, where that is known: among
// others context.Canceled and context.DeadlineExceeded.
func (e *Error) Unwrap() error { return e.cause }

// details embeds Error in the types below under a name of its own, for a field
// named Error would hide the method.
type details = Error

// AuthenticationError means that the key is wrong, revoked, or may not do this
// (401, 403). It has the fields of [Error].
type AuthenticationError struct{ details }

// QuotaError means that the quota of the subscription is used up (402). It has
// the fields of [Error].
type QuotaError struct{ details }

// RateLimitError means too many requests (429). It has the fields of [Error].
type RateLimitError struct {
	details
	// RetryAfter is how long to wait before the next call, 0 where the service
	// does not say.
	RetryAfter time.Duration
}

// InvalidRequestError means that the request cannot be answered as it is
// (other 4xx). It has the fields of [Error].
type InvalidRequestError struct {
	details
	// Fields has each offending field and what is wrong with it. Often empty.
	Fields map[string]string
}

// VerificationFailedError means that the verification failed: a failing
// scenario of the sandbox. It has the fields of [Error].
type VerificationFailedError struct{ details }

// ServerError means that the service failed (5xx), or that its answer cannot be
// used: a redirect, a page, JSON of another form. It has the fields of [Error].
type ServerError struct{ details }

// ConnectionError means that there was no answer, or that it broke off. Its
// code is TIMEOUT, CONNECTION_FAILED, or, when the caller's context was
// canceled, CANCELED. It has the fields of [Error].
type ConnectionError struct{ details }

// Unwrap gives the *Error.
func (e *AuthenticationError) Unwrap() error { return &e.details }

// Unwrap gives the *Error.
func (e *QuotaError) Unwrap() error { return &e.details }

// Unwrap gives the *Error.
func (e *RateLimitError) Unwrap() error { return &e.details }

// Unwrap gives the *Error.
func (e *InvalidRequestError) Unwrap() error { return &e.details }

// Unwrap gives the *Error.
func (e *VerificationFailedError) Unwrap() error { return &e.details }

// Unwrap gives the *Error.
func (e *ServerError) Unwrap() error { return &e.details }

// Unwrap gives the *Error.
func (e *ConnectionError) Unwrap() error { return &e.details }
