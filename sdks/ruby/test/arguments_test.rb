# frozen_string_literal: true

require_relative "helper"

# Arguments that violate the signatures; `rake types` skips them.
class ArgumentsTest < Minitest::Test
  include Helper

  def test_options_of_the_wrong_type_are_rejected
    [
      { api_key: 7 }, { base_url: 7 }, { timeout: "1" }, { open_timeout: "1" }, { max_retries: 1.0 }, { max_retries: "2" },
      { http_client: 5 }, { http_client: nil }
    ].each do |options|
      assert_raises(ArgumentError, options.inspect) { Checkline::Client.new(**{ api_key: KEY }, **options) }
    end
  end

  def test_arguments_of_the_wrong_type_are_rejected_before_sending
    requests = []
    client = client_with(response, requests: requests)
    [55, :"55", false, ["1"]].each do |odd|
      assert_raises(ArgumentError, odd.inspect) { client.verify(odd) }
      # A country may be a Symbol.
      unless odd.is_a?(Symbol)
        assert_raises(ArgumentError, odd.inspect) { client.verify("1", country: odd) }
        assert_raises(ArgumentError, odd.inspect) { client.lookup("1", expect_country: odd) }
      end
      assert_raises(ArgumentError, odd.inspect) { client.lookup("1", accept_types: [odd]) }
      assert_raises(ArgumentError, odd.inspect) { client.lookup("1", accept_line_types: [odd]) }
      assert_raises(ArgumentError, odd.inspect) { client.verify("1", idempotency_key: odd) }
      assert_raises(ArgumentError, odd.inspect) { client.lookup_batch(["1", odd]) }
    end
    assert_raises(ArgumentError) { client.verify(nil) }
    ["false", nil, 1].each { |odd| assert_raises(ArgumentError) { client.lookup("1", reject_unallocated: odd) } }
    ["mobile", false].each do |odd|
      assert_raises(ArgumentError) { client.lookup("1", accept_types: odd) }
      assert_raises(ArgumentError) { client.lookup("1", accept_line_types: odd) }
    end
    ["+5511987654321", nil, { "1" => "2" }].each do |odd|
      assert_raises(ArgumentError, odd.inspect) { client.lookup_batch(odd) }
    end
    assert_empty requests
  end
end
