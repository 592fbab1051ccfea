require "checkline"

client = Checkline::Client.new # the key is in CHECKLINE_API_KEY
numbers = [
  "+5511987654321",
  { number: "020 7946 0018", country: "GB" },
  "+12025550109"
]

client.lookup_stream(numbers) do |item|
  case item
  when Checkline::Result
    puts item.valid? ? item.number : item.reason
  else
    puts item.code
  end
end
