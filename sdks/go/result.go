package checkline

// Verification is the short result for one number.
type Verification struct {
	// Valid reports whether the number is in a range assigned by its country's
	// numbering plan.
	Valid bool `json:"valid"`
	// Carrier is the carrier the range was first allocated to, "" if unknown.
	Carrier string `json:"carrier,omitempty"`
}

// Result is the full result for one number. Values that are null in the API are
// "" or nil; the API returns no empty strings. Values that this version doesn't
// recognize are passed through.
type Result struct {
	// Valid reports whether the number is in a range assigned by its country's
	// numbering plan.
	Valid bool `json:"valid"`
	// Number is the number in E.164 form.
	Number string `json:"number,omitempty"`
	// LocalFormat is how the number is written within its country.
	LocalFormat string `json:"local_format,omitempty"`
	// InternationalFormat is how it is written for callers abroad.
	InternationalFormat string `json:"international_format,omitempty"`
	// CountryPrefix is the calling code with its plus sign, for example +55.
	CountryPrefix string `json:"country_prefix,omitempty"`
	// CountryCode is ISO 3166-1 alpha-2.
	CountryCode string `json:"country_code,omitempty"`
	// CountryName is the country's English name.
	CountryName string `json:"country_name,omitempty"`
	// Location is the area a geographic number was assigned to.
	Location string `json:"location,omitempty"`
	// Carrier is the carrier the range was first allocated to. A ported number may
	// have moved to another.
	Carrier string `json:"carrier,omitempty"`
	// LineType is "mobile", "fixed", or "voip"; "" if unknown.
	LineType string `json:"line_type,omitempty"`
	// NumberType is the plan's own, more specific type, for example "toll_free".
	NumberType string `json:"number_type"`
	// Extension is the extension in the input, digits only.
	Extension string `json:"extension,omitempty"`
	// Possible reports whether the number is valid, or at least has a length that
	// the country's plan uses.
	Possible bool `json:"possible"`
	// Reason is why the number is invalid, for example "TOO_SHORT".
	Reason string `json:"reason,omitempty"`
	// Suggestion is the number that the user may have meant, if there is exactly
	// one.
	Suggestion *Suggestion `json:"suggestion,omitempty"`
	// ShortCode has details about a short code; nil unless Reason is
	// "SHORT_CODE".
	ShortCode *ShortCode `json:"short_code,omitempty"`
	// TimeZones has the IANA names of the time zones the number may be in.
	TimeZones []string `json:"time_zones"`
	// CarrierSource is "original_allocation": Carrier comes from the allocation
	// of the range, not from a live query.
	CarrierSource string `json:"carrier_source"`
	// NumberPortability reports whether mobile numbers can move between carriers
	// in this country; nil without a country.
	NumberPortability *bool `json:"number_portability,omitempty"`
	// Deliverability estimates how reachable the number is.
	Deliverability Deliverability `json:"deliverability"`
	// Reachability is "not_checked": we never contact the handset.
	Reachability string `json:"reachability"`
	// Accepted reports whether the number meets [WithExpectCountry] and
	// [WithAcceptTypes]; nil without either.
	Accepted *bool `json:"accepted,omitempty"`
	// RejectedBecause is why the number is not accepted, for example
	// "OTHER_COUNTRY".
	RejectedBecause string `json:"rejected_because,omitempty"`
	// Status is the delivery status, with test keys only.
	Status string `json:"status,omitempty"`
	// Response is the metadata of the response that contained the result.
	Response ResponseInfo `json:"-"`
}

// Deliverability is what the numbering plan says about reaching a number. No
// network is queried.
type Deliverability struct {
	// SMS is "likely", "unlikely", or "unknown".
	SMS string `json:"sms"`
	// Voice is "likely", "unlikely", or "unknown".
	Voice string `json:"voice"`
	// Flags has the reasons behind the estimates, and other warning signs.
	Flags []string `json:"flags"`
}

// Suggestion is the number the user may have meant. Ask before you use it.
type Suggestion struct {
	// Number is a valid number in E.164 form.
	Number string `json:"number"`
	// Reason is how the number sent differs from it, for example "MISSING_PLUS".
	Reason string `json:"reason"`
}

// ShortCode has details about a short code.
type ShortCode struct {
	// Cost is what a call costs: "toll_free", "standard_rate", "premium_rate", or
	// "unknown".
	Cost string `json:"cost"`
	// Emergency reports whether it reaches an emergency service.
	Emergency bool `json:"emergency"`
}

// BatchItem is the outcome for one number in a batch: either Result or Failure
// is set.
type BatchItem struct {
	Result  *Result
	Failure *VerificationFailedError
}
