# frozen_string_literal: true

require_relative "helper"
require "objspace"
require "pp"

SUITE = ENV.fetch("CHECKLINE_CONFORMANCE_URL", nil)

# Runs the cases of the conformance suite and reports the outcomes; the suite judges them.
class ConformanceTest < Minitest::Test
  parallelize_me!

  TYPES = {
    Checkline::AuthenticationError => "authentication",
    Checkline::QuotaError => "quota",
    Checkline::RateLimitError => "rate_limit",
    Checkline::InvalidRequestError => "invalid_request",
    Checkline::VerificationFailedError => "verification_failed",
    Checkline::ServerError => "server",
    Checkline::ConnectionError => "connection"
  }.freeze

  def self.cases
    JSON.parse(Net::HTTP.get(URI("#{SUITE}/ruby")), symbolize_names: true).fetch(:cases)
  end

  if SUITE
    cases.each do |one|
      define_method("test_#{one[:id]}: #{one[:title]}") { run_case(one) }
    end
  else
    def test_suite
      skip "CHECKLINE_CONFORMANCE_URL is not set"
    end
  end

  private

  def run_case(one)
    report = report_of(one)
    answer = Net::HTTP.post(URI("#{SUITE}/ruby/#{one[:id]}"), JSON.generate(report), "Content-Type" => "application/json")
    assert_empty JSON.parse(answer.body).fetch("problems")
  end

  def report_of(one)
    responses = []
    begin
      client = client_for(one, responses)
    rescue ArgumentError => rejection
      return { rejected: true, texts: texts_of(rejection) }
    end
    return tally(client, one[:call][:numbers]) if one[:call][:tally]

    items = []
    outcome = outcome_of(client, one[:call], items)
    shown = [client, outcome, *responses, *(outcome if outcome.is_a?(Array))]
    told = %w[lookup_all lookup_stream].include?(one[:call][:method]) ? list_described(items, outcome) : described(outcome)
    told[:response] = response_fields(outcome.response) if outcome.is_a?(Checkline::Result)
    told[:responses] = responses.map { |response| response_fields(response) }
    { **told, texts: shown.flat_map { |object| texts_of(object) } }
  end

  # Counts a stream's results in order, and how many bytes more are in use at the end than after a tenth of them.
  def tally(client, numbers)
    counted = before = 0
    client.lookup_stream(numbers) do |item|
      counted += 1 if item.number == numbers[counted]
      before = used_bytes if counted == numbers.length / 10
    end
    { tally: { counted: counted, grown_bytes: used_bytes - before }, texts: texts_of(client) }
  end

  def used_bytes
    GC.start
    ObjectSpace.memsize_of_all
  end

  def list_described(items, outcome)
    { results: items.map { |item| described(item) }, ended_by: (error_fields(outcome) if outcome.is_a?(Checkline::Error)) }.compact
  end

  def response_fields(response)
    assert_operator response.duration, :>=, 0
    { **response.to_h.except(:duration), rate_limits: response.rate_limits.transform_values(&:to_h) }
  end

  def client_for(one, responses)
    options = { max_retries: one[:client][:max_retries], timeout: one[:client][:timeout_ms]&.fdiv(1000),
                deadline: one[:client][:deadline_ms]&.fdiv(1000),
                max_wait: one[:client][:max_wait_ms]&.fdiv(1000), on_response: ->(response) { responses << response } }.compact
    Checkline::Client.new(api_key: one[:key], base_url: one[:base_url], **options)
  end

  # A result, an array of results, or a raised error.
  def outcome_of(client, call, items)
    return client.quota if call[:method] == "quota"
    method, *arguments = call.values_at(:method, call.key?(:numbers) ? :numbers : :number)
    if method == "lookup_all"
      client.lookup_all(*arguments, **call.except(:method, :numbers)) { |item| items << item }
      return items
    end
    if method == "lookup_stream"
      list = client.lookup_stream(*arguments, **call.except(:method, :numbers, :take))
      list.each do |item|
        items << item
        break if items.length == call[:take]
      end
      return items
    end
    client.public_send(method, *arguments, **call.except(:method, :number, :numbers))
  rescue Checkline::Error => error
    error
  end

  def described(outcome)
    case outcome
    when Array then { results: outcome.map { |item| described(item) } }
    when Checkline::Error then { error: error_fields(outcome) }
    else { result: outcome.to_h }
    end
  end

  def error_fields(error)
    {
      type: TYPES.fetch(error.class), code: error.code, message: error.message, status: error.status,
      request_id: error.request_id,
      retry_after: (error.retry_after if error.is_a?(Checkline::RateLimitError)),
      quota: (error.quota&.to_h if error.is_a?(Checkline::QuotaError)),
      fields: (error.fields if error.is_a?(Checkline::InvalidRequestError))
    }
  end

  def texts_of(object)
    texts = [object.inspect, object.to_s, object.pretty_inspect, dumped(object)]
    texts << object.full_message << object.cause.inspect if object.is_a?(Exception)
    texts
  end

  def dumped(object)
    Marshal.dump(object).force_encoding(Encoding::UTF_8).scrub
  rescue TypeError => error
    error.full_message
  end
end
