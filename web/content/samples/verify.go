package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"time"
)

func main() {
	url := "https://checkline.example/api/v1/verify"
	body := strings.NewReader(`{"number": "+5511987654321"}`)
	request, err := http.NewRequest("POST", url, body)
	if err != nil {
		log.Fatal(err)
	}
	key := os.Getenv("CHECKLINE_API_KEY")
	request.Header.Set("Authorization", "Bearer "+key)
	request.Header.Set("Content-Type", "application/json")

	client := http.Client{Timeout: 10 * time.Second}
	response, err := client.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()

	var result struct {
		Valid       bool
		Country     string `json:"country_name"`
		Carrier     string
		LineType    string `json:"line_type"`
		Error, Code string
	}
	if err := json.NewDecoder(response.Body).Decode(&result); err != nil {
		log.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		log.Fatalf("%s: %s", result.Code, result.Error)
	}
	fmt.Println(result.Valid, result.Country, result.Carrier, result.LineType)
}
