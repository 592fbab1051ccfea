package main

import (
	"context"
	"fmt"
	"log"
	"strconv"

	checkline "checkline.example/go"
)

func main() {
	client, err := checkline.New() // the key is in CHECKLINE_API_KEY
	if err != nil {
		log.Fatal(err)
	}
	quota, err := client.Quota(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	remaining := "unlimited"
	if quota.Remaining != nil {
		remaining = strconv.Itoa(*quota.Remaining)
	}
	fmt.Println(quota.Plan, quota.Used, remaining)
}
