require "checkline"

client = Checkline::Client.new # the key is in CHECKLINE_API_KEY
quota = client.quota

puts "#{quota.plan} #{quota.used} #{quota.remaining || "unlimited"}"
