package main

import (
	"context"
	"fmt"
	"io"
	"log"

	checkline "checkline.example/go"
)

func main() {
	client, err := checkline.New() // the key is in CHECKLINE_API_KEY
	if err != nil {
		log.Fatal(err)
	}
	numbers := []checkline.PhoneNumber{
		{Number: "+5511987654321"},
		{Number: "020 7946 0018", Country: "GB"},
		{Number: "+12025550109"},
	}
	next := func() (checkline.PhoneNumber, error) {
		if len(numbers) == 0 {
			return checkline.PhoneNumber{}, io.EOF
		}
		number := numbers[0]
		numbers = numbers[1:]
		return number, nil
	}
	show := func(item checkline.StreamItem) error {
		if item.Failure != nil {
			fmt.Println(item.Failure)
		} else if !item.Result.Valid {
			fmt.Println(item.Result.Reason)
		} else {
			fmt.Println(item.Result.Number)
		}
		return nil
	}
	err = client.LookupStream(context.Background(), next, show)
	if err != nil {
		log.Fatal(err)
	}
}
