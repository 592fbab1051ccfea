package checkline

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"strings"
	"testing"
)

func lookup(t *testing.T, status int, body string) (*Result, error) {
	t.Helper()
	client := clientWith(t, func(*http.Request) (*http.Response, error) { return reply(status, body), nil })
	result, err := client.Lookup(context.Background(), "1")
	if result != nil {
		result.Response = ResponseInfo{} // It takes a different time on each run.
	}
	return result, err
}

// least is a result with nothing but the validity of its number.
func least() Result {
	return Result{
		Valid: true, Possible: true, NumberType: "unknown", Candidates: []string{}, TimeZones: []string{},
		CarrierSource:  "original_allocation",
		Deliverability: Deliverability{SMS: "unknown", Voice: "unknown", Flags: []DeliverabilityFlag{}}, Reachability: "not_checked",
	}
}

func lookupBatch(t *testing.T, items ...string) ([]BatchItem, error) {
	t.Helper()
	body := `{"results":[` + strings.Join(items, ",") + `]}`
	client := clientWith(t, func(*http.Request) (*http.Response, error) { return reply(200, body), nil })
	return client.LookupBatch(context.Background(), make([]PhoneNumber, len(items)))
}

func expectUnexpected(t *testing.T, err error, about string) {
	t.Helper()
	var unusable *ServerError
	if !errors.As(err, &unusable) || unusable.Code != "UNEXPECTED_RESPONSE" {
		t.Error(about, err)
	}
}

// A result's JSON uses the same names as the API's.
func TestResultsAsJSON(t *testing.T) {
	names := []string{
		"number", "local_format", "international_format", "country_prefix", "country_code", "country_name", "location",
		"carrier", "line_type", "number_type", "extension", "reason", "carrier_source", "reachability", "status",
	}
	want := map[string]any{
		"valid": true, "possible": false, "number_portability": true, "time_zones": []any{"UTC"},
		"candidates":     []any{"+5511987654321"},
		"deliverability": map[string]any{"sms": "S", "voice": "V", "flags": []any{"F"}},
	}
	for _, name := range names {
		want[name] = "the " + name
	}
	body, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	result, err := lookup(t, 200, string(body))
	if err != nil {
		t.Fatal(err)
	}
	written, err := json.Marshal(result)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(written, &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Error(err, string(written))
	}
	short, err := json.Marshal(Verification{Valid: true, Carrier: "TIM"})
	if err != nil || string(short) != `{"valid":true,"carrier":"TIM"}` {
		t.Error(err, string(short))
	}
}

func TestFieldsOfWrongTypeAreIgnored(t *testing.T) {
	absent, err := lookup(t, 200, `{"valid":true}`)
	if want := least(); err != nil || !reflect.DeepEqual(absent, &want) {
		t.Fatal(absent, err)
	}
	for _, fields := range []string{
		`"carrier":7`, `"number":["x"]`, `"time_zones":"UTC"`, `"time_zones":[1e999,null,["x"]]`, `"possible":"yes"`,
		`"number_portability":1`, `"deliverability":"likely"`, `"deliverability":[]`, `"Carrier":"TIM"`, `"VALID":false`,
	} {
		result, err := lookup(t, 200, `{"valid":true,`+fields+`}`)
		if err != nil || !reflect.DeepEqual(result, absent) {
			t.Error(fields, result, err)
		}
	}
	result, err := lookup(t, 200, `{"valid":true,"time_zones":["UTC",7],"deliverability":{"sms":7,"Voice":"likely","flags":[{},"f"]}}`)
	want := least()
	want.TimeZones, want.Deliverability.Flags = []string{"UTC"}, []DeliverabilityFlag{"f"}
	if err != nil || !reflect.DeepEqual(result, &want) {
		t.Error(result, err)
	}
}

func TestInvalidResponses(t *testing.T) {
	for _, body := range []string{
		``, `null`, `7`, `[true]`, `{}`, `{"valid":null}`, `{"valid":"yes"}`, `{"valid":1}`, `{"VALID":true}`,
		`{"valid":true,"later":NaN}`, `{"valid":true,"later":Infinity}`, `{"valid":true} {}`,
	} {
		_, err := lookup(t, 200, body)
		expectUnexpected(t, err, body)
	}
	for _, status := range []int{201, 202, 204, 302, 304} {
		for _, body := range []string{testAnswer, `{"error":"Moved.","code":"MOVED"}`} {
			_, err := lookup(t, status, body)
			expectUnexpected(t, err, body)
		}
	}
}

func TestUnknownFieldsMayBeNestedDeeply(t *testing.T) {
	body := `{"later":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `,"valid":true}`
	if result, err := lookup(t, 200, body); err != nil || !result.Valid {
		t.Error(result, err)
	}
	if items, err := lookupBatch(t, body); err != nil || !items[0].Result.Valid {
		t.Error(items, err)
	}
}

func TestBatchItems(t *testing.T) {
	items, err := lookupBatch(t, `{"valid":true,"error":null}`, `{"valid":true,"error":7}`, `{"valid":true,"error":"No.","code":7}`)
	if err != nil {
		t.Fatal(err)
	}
	if items[0].Result == nil || items[1].Result == nil || items[2].Result != nil {
		t.Error(items)
	}
	if failure := items[2].Failure; failure == nil || *failure != (VerificationFailedError{Code: "UNEXPECTED_RESPONSE", Message: "No."}) {
		t.Error(failure)
	}
	for _, odd := range []string{`{}`, `null`, `[]`, `"x"`, `{"error":7}`, `{"Error":"No.","code":"X"}`} {
		_, err := lookupBatch(t, `{"valid":true}`, odd)
		expectUnexpected(t, err, odd)
	}
}

func TestInvalidUTF8IsReplaced(t *testing.T) {
	var sent struct{ Number string }
	client := clientWith(t, func(request *http.Request) (*http.Response, error) {
		return reply(200, testAnswer), json.NewDecoder(request.Body).Decode(&sent)
	})
	if _, err := client.Lookup(context.Background(), "+55\xff\xed\xa0\x80"); err != nil || sent.Number != "+55\ufffd\ufffd\ufffd\ufffd" {
		t.Errorf("%q %v", sent.Number, err)
	}
}
