// Package checkline is the official client of the Checkline phone number
// verification API: whether a number is valid, its country, carrier and line
// type.
//
//	client, err := checkline.New() // the key is in CHECKLINE_API_KEY
//	if err != nil {
//		return err
//	}
//	result, err := client.Lookup(ctx, "+5511987654321")
//
// An invalid number is a result, not an error. Failed calls return
// one of this package's error types, all of which are an [Error] to errors.As.
package checkline

// Version is the version of this package.
const Version = "1.0.0"
