// Package checkline verifies phone numbers with the Checkline API: validity,
// country, carrier, line type, and more.
//
//	client, err := checkline.New() // the key is in CHECKLINE_API_KEY
//	if err != nil {
//		return err
//	}
//	result, err := client.Lookup(ctx, "+5511987654321")
//
// An invalid number is a result, not an error. A failed call returns one of
// this package's error types, each of which is also an [Error] for errors.As.
package checkline

// Version is the version of this package.
const Version = "1.0.0"
