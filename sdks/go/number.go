package checkline

// PhoneNumber is a number of a list or stream.
type PhoneNumber struct {
	// Number has + and calling code, or is in national format.
	Number string `json:"number"`
	// Country is the number's ISO 3166-1 alpha-2 country, "" for the one of
	// [WithCountry].
	Country string `json:"country,omitempty"`
	// ExpectCountry is the ISO 3166-1 alpha-2 country that it must be from, ""
	// for the one of [WithExpectCountry].
	ExpectCountry string `json:"expect_country,omitempty"`
}

// Numbers returns numbers without options of their own.
func Numbers(numbers ...string) []PhoneNumber {
	list := make([]PhoneNumber, len(numbers))
	for index, number := range numbers {
		list[index].Number = number
	}
	return list
}

// batchItems returns numbers as a batch has them: without options, as strings.
func batchItems(numbers []PhoneNumber) []any {
	items := make([]any, len(numbers))
	for index, number := range numbers {
		if number.Country == "" && number.ExpectCountry == "" {
			items[index] = number.Number
		} else {
			items[index] = number
		}
	}
	return items
}
