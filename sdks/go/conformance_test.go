package checkline_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	checkline "checkline.example/go"
)

type conformanceCase struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Key     string `json:"key"`
	BaseURL string `json:"base_url"`
	Client  struct {
		TimeoutMS  *int `json:"timeout_ms"`
		DeadlineMS *int `json:"deadline_ms"`
		MaxRetries *int `json:"max_retries"`
		MaxWaitMS  *int `json:"max_wait_ms"`
	} `json:"client"`
	Call struct {
		Method            string                 `json:"method"`
		Number            string                 `json:"number"`
		Numbers           []input                `json:"numbers"`
		Concurrency       *int                   `json:"concurrency"`
		Country           string                 `json:"country"`
		ExpectCountry     string                 `json:"expect_country"`
		AcceptTypes       []checkline.NumberType `json:"accept_types"`
		AcceptLineTypes   []checkline.LineType   `json:"accept_line_types"`
		RejectUnallocated bool                   `json:"reject_unallocated"`
		IdempotencyKey    *string                `json:"idempotency_key"`
		Take              int                    `json:"take"`
		Tally             bool                   `json:"tally"`
	} `json:"call"`
}

// input is a number of a case: a string, or an object.
type input checkline.PhoneNumber

func (i *input) UnmarshalJSON(body []byte) error {
	if body[0] == '"' {
		return json.Unmarshal(body, &i.Number)
	}
	return json.Unmarshal(body, (*checkline.PhoneNumber)(i))
}

func suiteURL(t *testing.T) string {
	url := os.Getenv("CHECKLINE_CONFORMANCE_URL")
	if url == "" {
		t.Skip("CHECKLINE_CONFORMANCE_URL is not set")
	}
	return url
}

// TestConformance runs the cases of the conformance suite and reports the
// outcomes; the suite judges them.
func TestConformance(t *testing.T) {
	run := suiteURL(t) + "/go"
	var begun struct {
		Cases []conformanceCase `json:"cases"`
	}
	response, err := http.Get(run)
	exchange(t, response, err, &begun)
	if len(begun.Cases) == 0 {
		t.Fatal("the suite has no cases")
	}
	for _, one := range begun.Cases {
		one := one
		t.Run(one.ID+": "+one.Title, func(t *testing.T) {
			t.Parallel()
			report, err := json.Marshal(carryOut(t, one))
			if err != nil {
				t.Fatal(err)
			}
			var judged struct {
				Problems []string `json:"problems"`
			}
			response, err := http.Post(run+"/"+one.ID, "application/json", bytes.NewReader(report))
			exchange(t, response, err, &judged)
			for _, problem := range judged.Problems {
				t.Error(problem)
			}
		})
	}
}

func exchange(t *testing.T, response *http.Response, err error, into any) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(into); err != nil || response.StatusCode != http.StatusOK {
		t.Fatal(response.Status, err)
	}
}

func newClient(one conformanceCase, told func(checkline.ResponseInfo)) (*checkline.Client, error) {
	options := []checkline.Option{checkline.WithAPIKey(one.Key), checkline.WithBaseURL(one.BaseURL)}
	if limit := one.Client.TimeoutMS; limit != nil {
		options = append(options, checkline.WithTimeout(time.Duration(*limit)*time.Millisecond))
	}
	if count := one.Client.MaxRetries; count != nil {
		options = append(options, checkline.WithMaxRetries(*count))
	}
	if limit := one.Client.MaxWaitMS; limit != nil {
		options = append(options, checkline.WithMaxWait(time.Duration(*limit)*time.Millisecond))
	}
	return checkline.New(append(options, checkline.WithOnResponse(told))...)
}

func carryOut(t *testing.T, one conformanceCase) map[string]any {
	var lock sync.Mutex
	var responses []checkline.ResponseInfo
	client, rejection := newClient(one, func(response checkline.ResponseInfo) {
		lock.Lock()
		defer lock.Unlock()
		responses = append(responses, response)
	})
	if rejection != nil {
		return map[string]any{"rejected": true, "texts": chain(rejection)}
	}
	ctx, call := context.Background(), one.Call
	if limit := one.Client.DeadlineMS; limit != nil {
		limited, cancel := context.WithTimeout(ctx, time.Duration(*limit)*time.Millisecond)
		defer cancel()
		ctx = limited
	}
	options := []checkline.CallOption{
		checkline.WithCountry(call.Country),
		checkline.WithExpectCountry(call.ExpectCountry),
		checkline.WithAcceptTypes(call.AcceptTypes...),
		checkline.WithAcceptLineTypes(call.AcceptLineTypes...),
	}
	if call.RejectUnallocated {
		options = append(options, checkline.WithRejectUnallocated())
	}
	if call.IdempotencyKey != nil {
		options = append(options, checkline.WithIdempotencyKey(*call.IdempotencyKey))
	}
	numbers := make([]checkline.PhoneNumber, len(call.Numbers))
	for index, number := range call.Numbers {
		numbers[index] = checkline.PhoneNumber(number)
	}
	var outcome any
	var err error
	report := map[string]any{}
	switch call.Method {
	case "verify":
		var answer *checkline.Verification
		if answer, err = client.Verify(ctx, call.Number, options...); err == nil {
			outcome, report["result"] = *answer, map[string]any{"valid": answer.Valid, "carrier": text(answer.Carrier)}
		}
	case "lookup":
		var result *checkline.Result
		if result, err = client.Lookup(ctx, call.Number, options...); err == nil {
			outcome, report["result"], report["response"] = *result, resultOf(result), responseOf(result.Response)
		}
	case "lookup_batch":
		var items []checkline.BatchItem
		items, err = client.LookupBatch(ctx, numbers, options...)
		outcome, report["results"] = items, batchOf(t, items)
	case "quota":
		var quota *checkline.Quota
		if quota, err = client.Quota(ctx); err == nil {
			outcome, report["result"] = *quota, quotaOf(quota)
		}
	case "lookup_all":
		items := []checkline.BatchItem{}
		if call.Concurrency != nil {
			options = append(options, checkline.WithConcurrency(*call.Concurrency))
		}
		err = client.LookupAll(ctx, numbers, func(item checkline.BatchItem) error {
			items = append(items, item)
			return nil
		}, options...)
		outcome, report["results"] = items, batchOf(t, items)
	case "lookup_stream":
		if call.Tally {
			return map[string]any{"tally": tally(t, client, numbers), "texts": texts(client)}
		}
		var items []checkline.StreamItem
		items, err = stream(client, numbers, call.Take, options)
		outcome, report["results"] = items, streamOf(t, items)
	default:
		t.Fatal("unknown method", call.Method)
	}
	if err != nil && (call.Method == "lookup_all" || call.Method == "lookup_stream") {
		report["ended_by"] = fieldsOf(t, err)
	} else if err != nil {
		report = map[string]any{"error": fieldsOf(t, err)}
	}
	told := make([]any, len(responses))
	for index, response := range responses {
		told[index] = responseOf(response)
	}
	report["responses"] = told
	said := append(append(texts(client), append(texts(*client), texts(responses)...)...), append(texts(outcome), chain(err)...)...)
	if items, ok := outcome.([]checkline.BatchItem); ok {
		for _, item := range items {
			if item.Failure != nil {
				said = append(said, chain(item.Failure)...)
			} else {
				said = append(said, texts(*item.Result)...)
			}
		}
	}
	if items, ok := outcome.([]checkline.StreamItem); ok {
		for _, item := range items {
			said = append(said, append(chain(item.Failure), texts(item.Result)...)...)
		}
	}
	report["texts"] = said
	return report
}

// source returns the numbers one by one.
func source(numbers []checkline.PhoneNumber) func() (checkline.PhoneNumber, error) {
	return func() (checkline.PhoneNumber, error) {
		if len(numbers) == 0 {
			return checkline.PhoneNumber{}, io.EOF
		}
		next := numbers[0]
		numbers = numbers[1:]
		return next, nil
	}
}

var errEnough = errors.New("enough")

// stream returns a stream's items, at most as many as given unless that is 0.
func stream(
	client *checkline.Client, numbers []checkline.PhoneNumber, most int, options []checkline.CallOption,
) ([]checkline.StreamItem, error) {
	items := []checkline.StreamItem{}
	err := client.LookupStream(context.Background(), source(numbers), func(item checkline.StreamItem) error {
		if items = append(items, item); len(items) == most {
			return errEnough
		}
		return nil
	}, options...)
	if errors.Is(err, errEnough) {
		return items, nil
	}
	return items, err
}

// tally counts a stream's results in order, and the bytes in use at the end
// beyond those after a tenth of them.
func tally(t *testing.T, client *checkline.Client, numbers []checkline.PhoneNumber) map[string]any {
	counted, before := 0, int64(0)
	err := client.LookupStream(context.Background(), source(numbers), func(item checkline.StreamItem) error {
		if item.Result == nil || item.Result.Number != numbers[counted].Number {
			return fmt.Errorf("item %d is another number's", counted)
		}
		if counted++; counted == len(numbers)/10 {
			before = usedBytes()
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return map[string]any{"counted": counted, "grown_bytes": usedBytes() - before}
}

func usedBytes() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

func streamOf(t *testing.T, items []checkline.StreamItem) []any {
	list := make([]any, len(items))
	for index, item := range items {
		if item.Failure != nil {
			list[index] = map[string]any{"error": fieldsOf(t, item.Failure)}
		} else {
			list[index] = map[string]any{"result": resultOf(item.Result)}
		}
	}
	return list
}

func batchOf(t *testing.T, items []checkline.BatchItem) []any {
	batch := make([]any, len(items))
	for index, item := range items {
		if item.Failure != nil {
			batch[index] = map[string]any{"error": fieldsOf(t, item.Failure)}
		} else {
			batch[index] = map[string]any{"result": resultOf(item.Result)}
		}
	}
	return batch
}

// resultOf maps a struct's fields by their Go names: using its own tags, two
// swapped ones would cancel each other out.
func resultOf(result any) map[string]any {
	fields := map[string]any{}
	value := reflect.Indirect(reflect.ValueOf(result))
	for _, member := range reflect.VisibleFields(value.Type()) {
		if member.Name == "Response" {
			continue
		}
		name := strings.ToLower(betweenWords.ReplaceAllString(member.Name, "${1}_$2"))
		field := value.FieldByIndex(member.Index)
		isNil := field.Kind() == reflect.Pointer && field.IsNil()
		switch {
		case field.Kind() == reflect.String:
			fields[name] = text(field.String())
		case isNil || reflect.Indirect(field).Kind() != reflect.Struct:
			fields[name] = field.Interface()
		default:
			fields[name] = resultOf(field.Interface())
		}
	}
	return fields
}

var betweenWords = regexp.MustCompile("([a-z])([A-Z])")

func responseOf(response checkline.ResponseInfo) map[string]any {
	limits := map[string]any{}
	for name, limit := range response.RateLimits {
		limits[name] = map[string]any{"remaining": limit.Remaining, "reset_seconds": limit.Reset.Seconds()}
	}
	return map[string]any{
		"status": response.Status, "request_id": text(response.RequestID), "data_version": text(response.DataVersion),
		"attempt": response.Attempt, "rate_limits": limits,
	}
}

func quotaOf(quota *checkline.Quota) map[string]any {
	fields := map[string]any{
		"plan": text(quota.Plan), "limit": quota.Limit, "used": quota.Used, "remaining": quota.Remaining,
		"resets_at": text(quota.ResetsAt),
	}
	if quota.KeyCap != nil {
		fields["key_cap"] = quotaOf(quota.KeyCap)
	}
	return fields
}

// text returns nil for "", which means null.
func text(value string) any {
	if value == "" {
		return nil
	}
	return value
}

func fieldsOf(t *testing.T, err error) map[string]any {
	var base *checkline.Error
	if !errors.As(err, &base) {
		t.Fatalf("%T is no *checkline.Error", err)
	}
	fields := map[string]any{"code": base.Code, "message": base.Message}
	if base.Status != 0 {
		fields["status"] = base.Status
	}
	if base.RequestID != "" {
		fields["request_id"] = base.RequestID
	}
	switch typed := err.(type) {
	case *checkline.AuthenticationError:
		fields["type"] = "authentication"
	case *checkline.QuotaError:
		fields["type"] = "quota"
		if typed.Quota != nil {
			fields["quota"] = quotaOf(typed.Quota)
		}
	case *checkline.RateLimitError:
		fields["type"] = "rate_limit"
		if typed.RetryAfter != 0 {
			fields["retry_after"] = typed.RetryAfter.Seconds()
		}
	case *checkline.InvalidRequestError:
		fields["type"], fields["fields"] = "invalid_request", typed.Fields
	case *checkline.VerificationFailedError:
		fields["type"] = "verification_failed"
	case *checkline.ServerError:
		fields["type"] = "server"
	case *checkline.ConnectionError:
		fields["type"] = "connection"
	}
	return fields
}

// texts returns a value's textual forms: printed, inspected, and logged.
func texts(value any) []string {
	serialized, err := json.Marshal(value)
	return []string{
		fmt.Sprintf("%v %+v %#v %s", value, value, value, value), string(serialized), fmt.Sprint(err),
	}
}

// chain returns the texts of an error and everything it unwraps to.
func chain(err error) []string {
	said := []string{}
	for ; err != nil; err = errors.Unwrap(err) {
		said = append(said, texts(err)...)
	}
	return said
}
