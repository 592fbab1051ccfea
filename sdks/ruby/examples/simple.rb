require "checkline"

client = Checkline::Client.new # the key is in CHECKLINE_API_KEY

answer = client.verify("+5511987654321")
puts "valid: #{answer.valid?}, carrier: #{answer.carrier || "unknown"}"
