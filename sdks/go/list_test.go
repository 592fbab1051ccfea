package checkline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"sync"
	"testing"
)

// echo responds to a chunk with a result for each of its numbers, and records
// the idempotency key.
func echo(keys *sync.Map) transport {
	return func(request *http.Request) (*http.Response, error) {
		keys.Store(request.Header.Get("Idempotency-Key"), true)
		var sent struct{ Numbers []string }
		if err := json.NewDecoder(request.Body).Decode(&sent); err != nil {
			return nil, err
		}
		results := make([]map[string]any, len(sent.Numbers))
		for index, number := range sent.Numbers {
			results[index] = map[string]any{"valid": true, "number": number}
		}
		body, err := json.Marshal(map[string]any{"results": results})
		return reply(200, string(body)), err
	}
}

func numbered(count int) []string {
	numbers := make([]string, count)
	for index := range numbers {
		numbers[index] = strconv.Itoa(index)
	}
	return numbers
}

func TestListKeepsOrderAndReportsRequestIDs(t *testing.T) {
	var keys sync.Map
	got := []string{}
	err := clientWith(t, echo(&keys)).LookupAll(context.Background(), Numbers(numbered(201)...), func(item BatchItem) error {
		got = append(got, item.Result.Number)
		return nil
	}, WithIdempotencyKey("job"))
	if err != nil || !reflect.DeepEqual(got, numbered(201)) {
		t.Error(err, got)
	}
	count := 0
	keys.Range(func(any, any) bool { count++; return true })
	for request := 1; request <= 3; request++ {
		if _, ok := keys.Load(fmt.Sprintf("job-%d", request)); !ok || count != 3 {
			t.Error(request, count)
		}
	}
}

func TestListStopsWhenCallerStops(t *testing.T) {
	var keys sync.Map
	enough := errors.New("enough")
	items := 0
	err := clientWith(t, echo(&keys)).LookupAll(context.Background(), Numbers(numbered(10000)...), func(BatchItem) error {
		items++
		return enough
	})
	count := 0
	keys.Range(func(any, any) bool { count++; return true })
	if !errors.Is(err, enough) || items != 1 || count > 4 {
		t.Error(err, items, count)
	}
}

func TestInvalidLists(t *testing.T) {
	client := clientWith(t, func(*http.Request) (*http.Response, error) { return nil, errors.New("sent") })
	never := func(BatchItem) error { return errors.New("called") }
	if err := client.LookupAll(context.Background(), nil, never); err != nil {
		t.Error(err)
	}
	for _, option := range []CallOption{WithConcurrency(0), WithConcurrency(-1), WithIdempotencyKey("a b")} {
		if err := client.LookupAll(context.Background(), Numbers("1"), never, option); err == nil {
			t.Error("taken")
		}
	}
}

func TestQuotaErrorHasQuota(t *testing.T) {
	body := `{"error":"x","code":"QUOTA_TOO_SMALL","quota":{"limit":9,"used":8,"remaining":1}}`
	client := clientWith(t, inTurn(answering(402, body)))
	err := client.LookupAll(context.Background(), Numbers("1"), func(BatchItem) error { return nil })
	var rejected *QuotaError
	if !errors.As(err, &rejected) || rejected.Quota == nil || *rejected.Quota.Remaining != 1 {
		t.Error(err)
	}
}
