package checkline

import "encoding/json"

// object is a JSON object. Its names are case-sensitive, unlike a struct's in
// encoding/json.
type object map[string]json.RawMessage

func readObject(body []byte) (object, error) {
	var read object
	if err := json.Unmarshal(body, &read); err != nil {
		return nil, err
	}
	if read == nil {
		return nil, errUnexpected
	}
	return read, nil
}

// field returns a field of an object, and whether it exists with that type.
func field[T any](fields object, name string) (value T, ok bool) {
	return typed[T](fields[name])
}

func typed[T any](body json.RawMessage) (value T, ok bool) {
	var read *T
	if json.Unmarshal(body, &read) != nil || read == nil {
		return value, false
	}
	return *read, true
}

// nested returns an empty object if there is no object.
func nested(fields object, name string) object {
	value, _ := field[object](fields, name)
	return value
}

// text returns "" if there is no text.
func text[T ~string](fields object, name string) T {
	value, _ := field[T](fields, name)
	return value
}

// textOr returns the text, or a default.
func textOr[T ~string](fields object, name string, otherwise T) T {
	if value, ok := field[T](fields, name); ok {
		return value
	}
	return otherwise
}

// booleanOr returns the boolean, or a default.
func booleanOr(fields object, name string, otherwise bool) bool {
	if value, ok := field[bool](fields, name); ok {
		return value
	}
	return otherwise
}

// integer returns nil if there is no whole number.
func integer(fields object, name string) *int {
	value, ok := field[int](fields, name)
	if !ok {
		return nil
	}
	return &value
}

// boolean returns nil if there is no boolean.
func boolean(fields object, name string) *bool {
	value, ok := field[bool](fields, name)
	if !ok {
		return nil
	}
	return &value
}

// texts returns the texts of a list, or none.
func texts[T ~string](fields object, name string) []T {
	items, _ := field[[]json.RawMessage](fields, name)
	read := make([]T, 0, len(items))
	for _, item := range items {
		if text, ok := typed[T](item); ok {
			read = append(read, text)
		}
	}
	return read
}
