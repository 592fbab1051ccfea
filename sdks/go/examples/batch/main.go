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
	numbers := checkline.Numbers(
		"+5511987654321",
		"+12025550109", // always fails in the sandbox
		"+442079460018",
	)
	items, err := client.LookupBatch(context.Background(), numbers)
	if err != nil {
		log.Fatal(err)
	}
	for i, item := range items {
		if item.Failure != nil {
			fmt.Printf("%s: %s\n", numbers[i].Number, item.Failure.Code)
		} else if !item.Result.Valid {
			fmt.Printf("%s: %s\n", numbers[i].Number, item.Result.Reason)
		} else {
			fmt.Printf("%s: %s\n", numbers[i].Number, item.Result.CountryName)
		}
	}
}
