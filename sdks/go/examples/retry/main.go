package main

import (
	"context"
	"fmt"
	"log"

	checkline "checkline.example/go"
)

func main() {
	client, err := checkline.New() // the key is in CHECKLINE_API_KEY
	if err != nil {
		log.Fatal(err)
	}
	// Store it with the job, so a rerun counts once.
	key := "7c1d5c0e-6f0f-4a53-9d53-3a1f3b8f2f0e"
	result, err := client.Lookup(
		context.Background(),
		"+5511987654321",
		checkline.WithIdempotencyKey(key),
	)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.CountryName)
}
