require "checkline"

client = Checkline::Client.new # the key is in CHECKLINE_API_KEY

begin
  result = client.lookup("+5511987654321")
  puts "#{result.valid} #{result.country_name} " \
       "#{result.carrier} #{result.line_type}"
rescue Checkline::Error => error
  abort "#{error.code}: #{error.message}"
end
