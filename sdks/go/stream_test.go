package checkline

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strconv"
	"testing"
	"time"
)

// echoLines responds to each line with its number's result, and counts requests.
func echoLines(requests *int) transport {
	return func(request *http.Request) (*http.Response, error) {
		*requests++
		body := ""
		for lines := bufio.NewScanner(request.Body); lines.Scan(); {
			var sent struct{ Number string }
			if err := json.Unmarshal(lines.Bytes(), &sent); err != nil {
				return nil, err
			}
			body += fmt.Sprintf(`{"valid":true,"number":%q}`+"\n\n", sent.Number)
		}
		return reply(200, body), nil
	}
}

// counted returns numbers from 0, and counts those it has returned.
func counted(count int, read *int) func() (PhoneNumber, error) {
	return func() (PhoneNumber, error) {
		if *read == count {
			return PhoneNumber{}, io.EOF
		}
		*read++
		return PhoneNumber{Number: strconv.Itoa(*read - 1)}, nil
	}
}

func TestStreamReadsAsItemsAreConsumed(t *testing.T) {
	requests, read, got := 0, 0, []string{}
	err := clientWith(t, echoLines(&requests)).LookupStream(
		context.Background(), counted(1200, &read), func(item StreamItem) error {
			if read != 500*requests && read != 1200 {
				t.Fatal(read, requests)
			}
			got = append(got, item.Result.Number)
			return nil
		})
	if err != nil || requests != 3 || !reflect.DeepEqual(got, numbered(1200)) {
		t.Error(err, requests, len(got))
	}
}

func TestStreamStopsWhenCallerStops(t *testing.T) {
	requests, read := 0, 0
	enough := errors.New("enough")
	err := clientWith(t, echoLines(&requests)).LookupStream(
		context.Background(), counted(10000, &read), func(StreamItem) error { return enough })
	if !errors.Is(err, enough) || requests != 1 || read != 500 {
		t.Error(err, requests, read)
	}
}

func TestStreamPassesTheSourcesErrorAfterItsItems(t *testing.T) {
	requests, read, items := 0, 0, 0
	torn := errors.New("torn file")
	next := counted(10, &read)
	err := clientWith(t, echoLines(&requests)).LookupStream(context.Background(), func() (PhoneNumber, error) {
		if read == 3 {
			return PhoneNumber{}, torn
		}
		return next()
	}, func(StreamItem) error { items++; return nil })
	if !errors.Is(err, torn) || items != 3 {
		t.Error(err, items)
	}
}

func TestStreamSendsLongNumbersInSmallerParts(t *testing.T) {
	requests, left := 0, 500
	long := PhoneNumber{Number: fmt.Sprintf("%0240d", 1)}
	err := clientWith(t, echoLines(&requests)).LookupStream(context.Background(), func() (PhoneNumber, error) {
		if left == 0 {
			return PhoneNumber{}, io.EOF
		}
		left--
		return long, nil
	}, func(StreamItem) error { return nil })
	if err != nil || requests != 4 {
		t.Error(err, requests)
	}
}

func TestStreamHasNoIdempotencyKey(t *testing.T) {
	requests, read := 0, 0
	err := clientWith(t, echoLines(&requests)).LookupStream(
		context.Background(), counted(1, &read), func(StreamItem) error { return nil }, WithIdempotencyKey("a"))
	if err == nil || requests != 0 {
		t.Error(err, requests)
	}
}

func TestStreamThatStallsTimesOutWhileASlowReaderDoesNot(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		fmt.Fprintln(writer, `{"valid":true}`)
		writer.(http.Flusher).Flush()
		<-request.Context().Done()
	}))
	defer server.Close()
	client := mustNew(t, WithBaseURL(server.URL))
	client.timeout = 100*time.Millisecond - keepAlive
	read, items := 0, 0
	err := client.LookupStream(context.Background(), counted(2, &read), func(StreamItem) error {
		items++
		time.Sleep(300 * time.Millisecond)
		return nil
	})
	var late *ConnectionError
	if !errors.As(err, &late) || late.Code != "TIMEOUT" || items != 1 {
		t.Error(err, items)
	}
}

func TestStreamEndsWithItsContext(t *testing.T) {
	requests, read := 0, 0
	ctx, cancel := context.WithCancel(context.Background())
	err := clientWith(t, func(request *http.Request) (*http.Response, error) {
		if err := request.Context().Err(); err != nil {
			return nil, err
		}
		return echoLines(&requests)(request)
	}).LookupStream(ctx, counted(10000, &read), func(StreamItem) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) || requests != 1 {
		t.Error(err, requests)
	}
}
