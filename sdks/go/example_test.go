package checkline_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	checkline "checkline.example/go"
)

func ExampleClient_Lookup() {
	client, err := checkline.New(checkline.WithTimeout(3 * time.Second))
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := client.Lookup(context.Background(), "(11) 98765-4321", checkline.WithCountry("BR"))
	var limited *checkline.RateLimitError
	var failed *checkline.Error
	switch {
	case errors.As(err, &limited):
		fmt.Println("come back in", limited.RetryAfter)
	case errors.As(err, &failed):
		fmt.Println(failed.Code, failed.RequestID)
	case err != nil:
		fmt.Println(err)
	default:
		fmt.Println(result.Valid, result.Carrier)
	}
}

func ExampleWithHTTPClient() {
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: 100}
	client, err := checkline.New(checkline.WithHTTPClient(&http.Client{Transport: transport}))
	fmt.Println(client, err)
}
