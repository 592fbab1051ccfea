require "checkline"

client = Checkline::Client.new # the key is in CHECKLINE_API_KEY
numbers = [
  "+5511987654321",
  "+12025550109", # always fails in the sandbox
  "+442079460018"
]

numbers.zip(client.lookup_batch(numbers)) do |number, item|
  case item
  when Checkline::Result
    puts "#{number}: #{item.valid? ? item.country_name : item.reason}"
  when Checkline::VerificationFailedError
    puts "#{number}: #{item.code}"
  end
end
