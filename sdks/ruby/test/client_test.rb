# frozen_string_literal: true

require_relative "helper"

class ClientTest < Minitest::Test
  include Helper

  NOTHING = { "CHECKLINE_API_KEY" => nil, "CHECKLINE_BASE_URL" => nil }.freeze

  def test_defaults
    with_environment(NOTHING) do
      client = Checkline::Client.new(api_key: KEY, base_url: "https://api.test")
      assert_equal [10, 5, 2, 60], [client.timeout, client.open_timeout, client.max_retries, client.max_wait]
    end
  end

  # A package served by a site has the site's address; the sources' address belongs to no one.
  def test_a_placeholder_address_is_rejected
    with_environment(NOTHING) do
      [nil, "https://checkline.example", "https://api.EXAMPLE:8443/api/v1"].each do |address|
        error = assert_raises(ArgumentError) { Checkline::Client.new(api_key: KEY, base_url: address) }
        assert_match(/Pass base_url: or set CHECKLINE_BASE_URL/, error.message)
      end
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

  def test_arguments_override_the_environment
    requests = []
    with_environment("CHECKLINE_API_KEY" => "ch_test_other", "CHECKLINE_BASE_URL" => "https://api.test") do
      client_with(response, requests: requests).verify("+5511987654321")
    end
    assert_equal "Bearer #{KEY}", requests.first.headers["Authorization"]
    assert_equal "http://127.0.0.1:1/api/v1/verify", requests.first.uri.to_s
  end

  def test_a_missing_key_is_reported_immediately
    [NOTHING, { "CHECKLINE_API_KEY" => "" }].each do |environment|
      with_environment(environment) do
        error = assert_raises(ArgumentError) { Checkline::Client.new }
        assert_match(/CHECKLINE_API_KEY/, error.message)
      end
    end
  end

  def test_invalid_options_are_rejected
    [
      { timeout: 0 }, { timeout: Float::INFINITY }, { timeout: 1e300 }, { open_timeout: 2_147_483.648 }, { timeout: Float::NAN },
      { timeout: Complex(1, 1) }, { open_timeout: -1 }, { max_retries: -1 }, { max_wait: -1 },
      { max_wait: Float::INFINITY }
    ].each do |options|
      assert_raises(ArgumentError, options.inspect) { Checkline::Client.new(api_key: KEY, **options) }
    end
  end

  def test_an_invalid_key_is_rejected_without_being_shown
    ["", "secret key", "secret\nX-Other: 1", "secret\n", "sécret", "secret\xff", "secret".encode("UTF-16")].each do |key|
      error = assert_raises(ArgumentError, key.inspect) { Checkline::Client.new(api_key: key) }
      refute_includes error.full_message, "cret"
    end
  end

  def test_an_invalid_base_url_is_rejected_without_showing_its_password
    %W[
      checkline.test ftp://checkline.test http:// http://:80 https://user:secret@api.test https://user@api.test
      https://user:sec\ ret@api.test https://api.test?a=secret https://api.test? https://api.test/#secret
      https://api.test/# https://api.test/\n https://ü.test https://\xff.test
      http://api.test http://localhost.test http://127.0.0.1.test http://127.0.0.2 http://0.0.0.0 http://[::2]
    ].push("", "https://api.test".encode("UTF-16")).each do |address|
      error = assert_raises(ArgumentError, address.inspect) { Checkline::Client.new(api_key: KEY, base_url: address) }
      refute_match(/sec ?ret/, error.full_message)
    end
  end

  def test_trailing_slashes_and_the_api_path_in_a_base_url_are_ignored
    %w[
      https://api.test HTTP://LocalHost:8787/v http://[::1]: http://127.0.0.1 https://h/a: https://api/v1 https://api.test/my-api/v1
    ].each do |base_url|
      ["", "/", "///", "/api/v1", "/API/v1/", "//api/v1//"].each do |ending|
        assert_equal base_url, Checkline::Client.new(api_key: KEY, base_url: base_url + ending).base_url
      end
    end
  end

  def test_an_invalid_idempotency_key_is_rejected_before_sending
    requests = []
    client = client_with(response, requests: requests)
    ["", "a b", "a\r\nX-Other: 1", "a\n", "é", "x" * 256, "\xff"].each do |key|
      assert_raises(ArgumentError, key.inspect) { client.verify("1", idempotency_key: key) }
      assert_raises(ArgumentError, key.inspect) { client.lookup_batch(["1"], idempotency_key: key) }
    end
    assert_empty requests
    client.verify("1", idempotency_key: "!~" + "x" * 253)
    assert_equal 255, requests.first.headers["Idempotency-Key"].length
  end

  def test_non_strings_are_rejected_before_sending
    requests = []
    client = client_with(response, requests: requests)
    ["+55\xff", "\xed\xa0\x80", "\xd8\x00".dup.force_encoding("UTF-16BE"), "\xe9".b].each do |odd|
      [-> { client.verify(odd) }, -> { client.lookup_batch(["1", odd]) }, -> { client.verify("1", country: odd) }].each do |call|
        error = assert_raises(ArgumentError, odd.inspect, &call)
        assert_nil error.cause
      end
    end
    assert_empty requests
  end

  def test_text_in_another_encoding_is_sent_as_utf_8
    requests = []
    client_with(response, requests: requests).verify("ü".encode("ISO-8859-1"), country: "BR".encode("UTF-16"))
    assert_equal({ "number" => "ü", "country" => "BR" }, JSON.parse(requests.first.body))
  end

  def test_each_call_has_its_own_idempotency_key
    requests = []
    client = client_with(response, requests: requests)
    client.verify("+5511987654321")
    client.verify("+5511987654321")
    client.verify("+5511987654321", idempotency_key: "mine")
    keys = requests.map { |request| request.headers["Idempotency-Key"] }
    assert_equal 3, keys.uniq.length
    assert_equal "mine", keys.last
  end

  def test_the_http_client_gets_both_timeouts
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
    assert_equal({ sms: "likely", voice: "unknown", flags: ["toll_free"] }, one.to_h[:deliverability])
  end

  def test_results_are_objects_in_json
    body = { valid: true, number: "+5511987654321", suggestion: { number: "+1", reason: "MISSING_PLUS" } }
    result = client_with(response(200, body)).lookup("1")
    written = JSON.parse(JSON.generate([result]))[0]
    assert_equal ["+5511987654321", "MISSING_PLUS"], [written["number"], written["suggestion"]["reason"]]
    assert_equal result.to_h, result.as_json
    assert_equal({ "valid" => true, "carrier" => "TIM" }, JSON.parse(client_with(response).verify("1").to_json))
  end

  def test_known_fields_of_the_wrong_type_are_ignored
    absent = client_with(response(200, { valid: true })).lookup("1")
    names = absent.members - [:valid]
    [7, [1], { a: 1 }, false].each do |odd|
      fields = names.to_h { |name| [name, odd] }.merge(
        possible: "yes", number_portability: 1, deliverability: "likely", accepted: "yes", suggestion: "+1", short_code: 1
      )
      assert_equal absent, client_with(response(200, fields.merge(valid: true))).lookup("1")
    end
    [nil, "true", 1].each do |odd|
      error = assert_raises(Checkline::ServerError) { client_with(response(200, ANSWER.merge(valid: odd))).lookup("1") }
      assert_equal "UNEXPECTED_RESPONSE", error.code
    end
  end

  def test_list_items_that_are_not_strings_are_omitted
    fields = { time_zones: ["UTC", nil, 7], deliverability: { sms: 7, voice: "likely", flags: [{}, "toll_free"] } }
    result = client_with(response(200, ANSWER.merge(fields))).lookup("1")
    assert_equal ["UTC"], result.time_zones
    assert_equal({ sms: "unknown", voice: "likely", flags: ["toll_free"] }, result.deliverability.to_h)
  end

  def test_batch_items
    client = client_with(response(200, { results: [
      { valid: true, error: nil }, { valid: true, error: 7 }, { valid: true, error: "No.", code: 7 }
    ] }))
    *results, failure = client.lookup_batch(%w[1 2 3])
    assert_equal [true, true], results.map(&:valid)
    assert_instance_of Checkline::VerificationFailedError, failure
    assert_equal ["No.", "UNEXPECTED_RESPONSE", nil], [failure.message, failure.code, failure.status]
    [{}, nil, [], "x", { error: 7 }].each do |odd|
      client = client_with(response(200, { results: [ANSWER, odd] }))
      error = assert_raises(Checkline::ServerError) { client.lookup_batch(%w[1 2]) }
      assert_equal "UNEXPECTED_RESPONSE", error.code
    end
  end

  def test_only_a_200_is_a_success
    [response(204, ""), response(202), response(302, { error: "Moved.", code: "MOVED" }), response(101)].each do |odd|
      error = assert_raises(Checkline::ServerError) { client_with(odd).lookup("1") }
      assert_equal ["UNEXPECTED_RESPONSE", odd.status], [error.code, error.status]
    end
  end

  def test_unknown_fields_may_be_nested_deeply
    body = "{\"valid\":true,\"later\":#{"[" * 100}#{"]" * 100}}"
    assert client_with(response(200, body)).lookup("1").valid
    assert client_with(response(200, "{\"results\":[#{body}]}")).lookup_batch(["1"]).first.valid
    endless = "{\"valid\":true,\"later\":#{"[" * 200_000}#{"]" * 200_000}}"
    assert_raises(Checkline::ServerError) { client_with(response(200, endless)).lookup("1") }
  end

  def test_invalid_json_is_an_error
    %w[NaN Infinity -Infinity 01 "\\ud800"].each do |odd|
      answer = response(200, "{\"valid\":true,\"later\":#{odd}}")
      assert_raises(Checkline::ServerError, odd) { client_with(answer).lookup("1") }
    end
  end

  def test_invalid_utf_8_is_an_error
    answer = response(200, "{\"valid\":true,\"carrier\":\"\xff\"}".b)
    assert_raises(Checkline::ServerError) { client_with(answer).lookup("1") }
  end

  def test_a_client_is_thread_safe
    answers = ->(request) { response(200, ANSWER.merge(number: JSON.parse(request.body)["number"])) }
    client = Checkline::Client.new(api_key: KEY, base_url: "https://api.test", http_client: answers)
    assert_predicate client, :frozen?
    numbers = Array.new(32) { |index| "+55119876#{index.to_s.rjust(5, "0")}" }
    results = numbers.map { |number| Thread.new { Array.new(20) { client.lookup(number).number }.uniq } }.map(&:value)
    assert_equal numbers.map { |number| [number] }, results
  end

  def test_bugs_of_an_http_client_are_not_hidden
    assert_raises(NoMethodError) { client_with(NoMethodError.new("a bug")).verify("1") }
  end
end
