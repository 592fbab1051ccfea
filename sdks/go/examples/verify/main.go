package main

import (
	"context"
	"fmt"
	"log"

	checkline "checkline.example/go"
)

func main() {
	log.SetFlags(0)
	client, err := checkline.New() // the key is in CHECKLINE_API_KEY
	if err != nil {
		log.Fatal(err)
	}
	r, err := client.Lookup(context.Background(), "+5511987654321")
	if err != nil {
		log.Fatal(err) // CODE: message
	}
	fmt.Println(r.Valid, r.CountryName, r.Carrier, r.LineType)
}
