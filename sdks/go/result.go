package checkline

// Verification is the short result for one number.
type Verification struct {
	// Valid reports whether the number is in a range assigned by its country's
	// numbering plan.
	Valid bool `json:"valid"`
	// Carrier is the carrier whose range it is, by today's brand, "" if unknown.
	Carrier string `json:"carrier,omitempty"`
}

// True reports whether a field that may be unknown is known to be true, such as
// Accepted or NumberPortability of a [Result]. They are pointers, nil if
// unknown.
func True(field *bool) bool { return field != nil && *field }

// BatchItem is the outcome for one number in a batch: either Result or Failure
// is set.
type BatchItem struct {
	Result  *Result
	Failure *VerificationFailedError
}

// StreamItem is the outcome for one number in a stream: either Result or Failure
// is set.
type StreamItem struct {
	Result *Result
	// Failure is a *[VerificationFailedError] or an *[InvalidRequestError].
	Failure error
}
