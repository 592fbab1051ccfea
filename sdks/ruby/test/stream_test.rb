# frozen_string_literal: true

require_relative "helper"

class StreamTest < Minitest::Test
  include Helper

  # A client whose responses have a result for each line; an answer that is a Proc makes the response to a request.
  def streaming(*answers, requests: [], **options)
    echo = lambda do |request|
      lines = request.body.lines.map { |line| JSON.generate(valid: true, number: JSON.parse(line)["number"]) }
      response(200, "#{lines.join("\n\n")}\n")
    end
    http_client = lambda do |request|
      requests << request
      answer = answers.shift || echo
      raise answer if answer.is_a?(Exception)

      answer.is_a?(Proc) ? answer.call(request) : answer
    end
    Checkline::Client.new(api_key: KEY, base_url: "https://api.test", http_client: http_client, **options)
  end

  def lines(*lines)
    response(200, lines.map { |line| "#{line.is_a?(String) ? line : JSON.generate(line)}\n" }.join)
  end

  def test_numbers_are_sent_as_lines_with_their_countries
    requests = []
    numbers = ["+1", { number: "2", country: "GB" }, { number: "3" }]
    accepted = { accept_types: ["mobile"], accept_line_types: ["unknown"] }
    items = streaming(requests: requests).lookup_stream(numbers, country: "US", **accepted)
    assert_equal %w[+1 2 3], items.map(&:number)
    shared = { "country" => "US", **accepted.transform_keys(&:to_s) }
    sent = [{ "number" => "+1" }, { "number" => "2", "country" => "GB" }, { "number" => "3" }]
    assert_equal(sent.map { |own| { **shared, **own } }, requests.first.body.lines.map { |line| JSON.parse(line) })
    assert_equal [true, 20, nil], [requests.first.stream?, requests.first.timeout, requests.first.headers["Idempotency-Key"]]
  end

  def test_a_source_is_read_as_results_are_consumed
    read = 0
    requests = []
    endless = Enumerator.new { |numbers| loop { numbers << (read += 1).to_s } }
    items = streaming(requests: requests).lookup_stream(endless)
    assert_equal "1", items.next.number
    assert_equal [500, 1], [read, requests.length]
    assert_equal "1501", items.take(1001).last.number
    requests.clear
    streaming(requests: requests).lookup_stream(endless.lazy) { break }
    assert_equal [500], (requests.map { |request| request.body.lines.length })
  end

  def test_long_numbers_are_sent_in_smaller_parts
    requests = []
    streaming(requests: requests).lookup_stream(["1" * 240] * 500).to_a
    assert(requests.all? { |request| request.body.bytesize < 34_000 })
    assert_equal 4, requests.length
  end

  def test_a_connection_that_breaks_is_not_retried
    [Errno::ECONNRESET.new, Timeout::Error.new].each do |failure|
      requests = []
      assert_raises(Checkline::ConnectionError) { streaming(failure, requests: requests).lookup_stream(["1"]).first }
      assert_equal 1, requests.length
    end
  end

  def test_unusable_lines_are_an_error_after_the_results
    ["", "7", "null", "{}", "no json", "{\"valid\": tr", "\xff"].each do |odd|
      items = []
      error = assert_raises(Checkline::ServerError, odd) do
        streaming(lines(ANSWER, odd)).lookup_stream(%w[1 2]) { |item| items << item }
      end
      assert_equal ["UNEXPECTED_RESPONSE", 1], [error.code, items.length]
      assert_nil error.cause
    end
  end

  def test_non_numbers_are_rejected_before_sending
    requests = []
    client = streaming(requests: requests)
    ["+1", nil, 7, { number: "1" }].each { |odd| assert_raises(ArgumentError) { client.lookup_stream(odd) } }
    [7, nil, {}, { number: 7 }, { number: "1", contry: "US" }, { number: "1", country: 7 }].each do |odd|
      [-> { client.lookup_stream(["1", odd]).first }, -> { client.lookup_batch(["1", odd]) }].each do |call|
        assert_match(/\Anumbers\[1\]/, assert_raises(ArgumentError, odd.inspect, &call).message)
      end
    end
    assert_empty client.lookup_stream([]).to_a
    assert_empty requests
  end
end
