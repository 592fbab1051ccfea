# On an error, curl prints the response and exits with code 22.
curl --fail-with-body -X POST https://checkline.example/api/v1/verify \
  --max-time 10 \
  -H "Authorization: Bearer $CHECKLINE_API_KEY" \
  -H "Content-Type: application/json" \
  -d '{"number": "+5511987654321"}'
