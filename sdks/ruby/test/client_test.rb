# frozen_string_literal: true

require_relative "helper"

class ClientTest < Minitest::Test
  include Helper

  NOTHING = { "CHECKLINE_API_KEY" => nil, "CHECKLINE_BASE_URL" => nil }.freeze

  def test_defaults
    with_environment(NOTHING) do
      client = Checkline::Client.new(api_key: KEY)
      assert_equal ["https://checkline.example", 10, 5, 2],
                   [client.base_url, client.timeout, client.open_timeout, client.max_retries]
    end
  end

  def test_key_and_address_come_from_the_environment
    requests = []
    http_client = ->(request) { requests.push(request) && response }
    with_environment("CHECKLINE_API_KEY" => KEY, "CHECKLINE_BASE_URL" => "https://api.test/") do
      Checkline::Client.new(http_client: http_client).verify("+5511987654321")
    end
    assert_equal "Bearer #{KEY}", requests.first.headers["Authorization"]
    assert_equal "https://api.test/api/v1/verify", requests.first.uri.to_s
  end

  def test_arguments_go_before_the_environment
    requests = []
    with_environment("CHECKLINE_API_KEY" => "ch_test_other", "CHECKLINE_BASE_URL" => "https://api.test") do
      client_with(response, requests: requests).verify("+5511987654321")
    end
    assert_equal "Bearer #{KEY}", requests.first.headers["Authorization"]
    assert_equal "http://127.0.0.1:1/api/v1/verify", requests.first.uri.to_s
  end

  def test_a_missing_key_is_said_at_once
    [NOTHING, { "CHECKLINE_API_KEY" => "" }].each do |environment|
      with_environment(environment) do
        error = assert_raises(ArgumentError) { Checkline::Client.new }
        assert_match(/CHECKLINE_API_KEY/, error.message)
      end
    end
  end

  def test_options_that_make_no_sense_are_refused
    [
      { base_url: "checkline.example" }, { base_url: "ftp://checkline.example" }, { base_url: "http://" },
      { base_url: "not a url" }, { timeout: 0 }, { open_timeout: -1 }, { max_retries: -1 },
      { api_key: "ch_test\nX-Other: 1" }
    ].each do |options|
      error = assert_raises(ArgumentError, options.inspect) { Checkline::Client.new(api_key: KEY, **options) }
      refute_includes error.message, "X-Other"
    end
  end

  def test_an_idempotency_key_cannot_smuggle_a_header
    assert_raises(ArgumentError) { client_with(response).verify("1", idempotency_key: "a\r\nX-Other: 1") }
  end

  def test_each_call_has_an_idempotency_key_of_its_own
    requests = []
    client = client_with(response, requests: requests)
    client.verify("+5511987654321")
    client.verify("+5511987654321")
    client.verify("+5511987654321", idempotency_key: "mine")
    keys = requests.map { |request| request.headers["Idempotency-Key"] }
    assert_equal 3, keys.uniq.length
    assert_equal "mine", keys.last
  end

  def test_the_http_client_is_told_both_time_limits
    requests = []
    client_with(response, requests: requests, timeout: 3, open_timeout: 1.5).verify("+5511987654321")
    assert_equal [3, 1.5], [requests.first.timeout, requests.first.open_timeout]
  end

  def test_results_are_frozen_values
    client = client_with(response(200, ANSWER.merge(deliverability: { sms: "likely", flags: ["toll_free"] })))
    one, other = Array.new(2) { client.lookup("+5511987654321") }
    assert_equal one, other
    assert_predicate one, :valid?
    assert_raises(FrozenError) { one.carrier = "x" }
    assert_raises(FrozenError) { one.carrier << "x" }
    assert_raises(FrozenError) { one.time_zones << "x" }
    assert_raises(FrozenError) { one.deliverability.flags << "x" }
    assert_equal({ sms: "likely", voice: nil, flags: ["toll_free"] }, one.to_h[:deliverability])
  end

  def test_a_known_field_of_the_wrong_type_is_an_error
    [{ carrier: 7 }, { time_zones: "UTC" }, { time_zones: [1] }, { possible: "yes" }, { deliverability: [] }].each do |odd|
      error = assert_raises(Checkline::ServerError) { client_with(response(200, ANSWER.merge(odd))).lookup("1") }
      assert_equal "UNEXPECTED_ANSWER", error.code
    end
  end

  def test_text_that_is_not_utf_8_is_no_answer
    answer = response(200, "{\"valid\":true,\"carrier\":\"\xff\"}".b)
    assert_raises(Checkline::ServerError) { client_with(answer).lookup("1") }
  end

  def test_one_client_serves_many_threads
    answers = ->(request) { response(200, ANSWER.merge(number: JSON.parse(request.body)["number"])) }
    client = Checkline::Client.new(api_key: KEY, http_client: answers)
    assert_predicate client, :frozen?
    numbers = Array.new(32) { |index| "+55119876#{index.to_s.rjust(5, "0")}" }
    results = numbers.map { |number| Thread.new { Array.new(20) { client.lookup(number).number }.uniq } }.map(&:value)
    assert_equal numbers.map { |number| [number] }, results
  end

  def test_what_an_http_client_does_wrong_by_itself_is_not_hidden
    assert_raises(NoMethodError) { client_with(NoMethodError.new("a bug")).verify("1") }
  end
end
