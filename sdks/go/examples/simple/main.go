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
	answer, err := client.Verify(context.Background(), "+5511987654321")
	if err != nil {
		log.Fatal(err)
	}
	carrier := answer.Carrier
	if carrier == "" {
		carrier = "unknown"
	}
	fmt.Printf("valid: %t, carrier: %s\n", answer.Valid, carrier)
}
