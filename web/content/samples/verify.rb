require "json"
require "net/http"

response = Net::HTTP.post(
  URI("https://checkline.example/api/v1/verify"),
  JSON.generate(number: "+5511987654321"),
  "Authorization" => "Bearer #{ENV.fetch("CHECKLINE_API_KEY")}",
  "Content-Type" => "application/json"
)
result = JSON.parse(response.body)

unless response.is_a?(Net::HTTPSuccess)
  raise "#{result["code"]}: #{result["error"]}"
end

fields = %w[valid country_name carrier line_type]
puts result.values_at(*fields).join(" ")
