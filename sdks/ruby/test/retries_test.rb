# frozen_string_literal: true

require_relative "helper"

class RetriesTest < Minitest::Test
  include Helper

  RETRIES = Checkline.const_get(:Retries)
  OVERLOADED = { error: "Too many requests.", code: "RATE_LIMITED" }.freeze

  # A client's pauses between attempts.
  def pauses_of(*answers, **options)
    pauses = []
    client = client_with(*answers, **options)
    waiting = client.clone(freeze: false)
    waiting.define_singleton_method(:sleep) { |seconds| pauses << seconds }
    yield waiting
    pauses
  end

  def test_pauses_grow_to_eight_seconds_and_are_half_random
    least = (0..6).map { |attempt| RETRIES.pause(attempt, random: 0.0) }
    most = (0..6).map { |attempt| RETRIES.pause(attempt, random: 1.0) }
    assert_equal [0.25, 0.5, 1.0, 2.0, 4.0, 4.0, 4.0], least
    assert_equal [0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0], most
    drawn = Array.new(200) { RETRIES.pause(0) }
    assert_operator drawn.uniq.length, :>, 100
    assert(drawn.all? { |pause| pause.between?(0.25, 0.5) })
  end

  def test_a_call_is_retried_twice
    requests = []
    pauses = pauses_of(response(500, "oops"), requests: requests) do |client|
      assert_raises(Checkline::ServerError) { client.verify("1") }
    end
    assert_equal 3, requests.length
    assert_equal 2, pauses.length
    assert_includes 0.25..0.5, pauses[0]
    assert_includes 0.5..1.0, pauses[1]
  end

  def test_retry_after_replaces_the_pause
    answers = [response(429, OVERLOADED, "Retry-After" => "60"), response(503, OVERLOADED, "Retry-After" => "7"), response]
    assert_equal([60, 7], pauses_of(*answers) { |client| assert_predicate client.verify("1"), :valid? })
  end

  def test_retry_after_with_another_status_is_ignored
    answers = [response(500, OVERLOADED, "Retry-After" => "7"), response]
    assert_operator pauses_of(*answers) { |client| client.verify("1") }.first, :<, 1
  end

  def test_a_long_wait_is_left_to_the_caller
    pauses = pauses_of(response(429, OVERLOADED, "Retry-After" => "61")) do |client|
      error = assert_raises(Checkline::RateLimitError) { client.verify("1") }
      assert_equal 61, error.retry_after
    end
    assert_empty pauses
  end

  def test_an_invalid_retry_after_is_ignored
    ["1.5", "soon", "-1", "", "+7", "1234567890", "٣", "7\n8", "Sat, 99 Nov 2026 00:00:00 GMT", "Sat, 21 Nov 2026"].each do |odd|
      answers = [response(429, OVERLOADED, "Retry-After" => odd), response]
      pauses = pauses_of(*answers) { |client| assert_predicate client.verify("1"), :valid? }
      assert_includes 0.25..0.5, pauses.fetch(0), odd
      error = assert_raises(Checkline::RateLimitError) { client_with(answers.first, max_retries: 0).verify("1") }
      assert_nil error.retry_after
    end
    error = assert_raises(Checkline::RateLimitError) do
      client_with(response(429, OVERLOADED, "Retry-After" => "999999999")).verify("1")
    end
    assert_equal 999_999_999, error.retry_after
  end

  def test_connection_errors_are_retried
    failures = [Errno::ECONNRESET.new, SocketError.new("no such host"), EOFError.new, Net::OpenTimeout.new]
    failures.each do |failure|
      pauses = pauses_of(failure, response) { |client| assert_predicate client.verify("1"), :valid? }
      assert_equal 1, pauses.length, failure.class
    end
  end

  def test_timeouts_and_failures_are_distinct
    { Net::ReadTimeout.new => "TIMEOUT", Errno::ETIMEDOUT.new => "TIMEOUT", Errno::ECONNREFUSED.new => "CONNECTION_FAILED",
      OpenSSL::SSL::SSLError.new("certificate") => "CONNECTION_FAILED" }.each do |failure, code|
      error = assert_raises(Checkline::ConnectionError) { client_with(failure, max_retries: 0).verify("1") }
      assert_equal [code, nil, nil], [error.code, error.status, error.request_id]
    end
  end
end
