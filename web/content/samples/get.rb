require "json"
require "net/http"

url = URI("https://checkline.example/api/v1/countries/GM")
response = Net::HTTP.get_response(url)

raise response.body unless response.is_a?(Net::HTTPSuccess)

puts JSON.parse(response.body)
