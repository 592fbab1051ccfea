# frozen_string_literal: true

require "json"

module Checkline
  # Parses the service's responses. Anything unexpected is an error, never a guess.
  class Answer
    include ResultReader

    # The body is not the service's.
    Unexpected = Class.new(StandardError)

    # Far beyond today's responses: fields of a later version may be nested arbitrarily.
    DEEPEST = 500
    ERRORS_BY_STATUS = { 401 => AuthenticationError, 403 => AuthenticationError, 402 => QuotaError }.freeze

    # The codes of the sandbox's failing scenarios.
    SANDBOX_CODES = %w[
      REJECTED_NETWORK REJECTED_FORMAT REJECTED_PREFIX_MISSING REJECTED_SUBSCRIBER_ABSENT REJECTED_UNKNOWN_SUBSCRIBER
      REJECTED_UNDELIVERABLE UNDELIVERABLE_NOT_DELIVERED TEMPORARY_FAILURE SERVICE_UNAVAILABLE
    ].freeze

    # "requests";r=59;t=60, "numbers";r=599;t=60
    RATE_LIMIT = /"(\w+)";r=(\d{1,15});t=(\d{1,15})(?!\d)/.freeze

    # @return [ResponseInfo] the response's metadata
    attr_reader :info
    # @return [Response]
    attr_reader :response

    # @param response [Response]
    # @param attempt [Integer] from 1
    # @param duration [Float] in seconds
    def initialize(response, attempt, duration)
      @response = response
      limits = response.headers["ratelimit"].to_s.scan(RATE_LIMIT).to_h do |name, remaining, seconds|
        [name, RateLimit.new(remaining: remaining.to_i, reset_seconds: seconds.to_i)]
      end
      @info = ResponseInfo.new(
        status: response.status, request_id: request_id, data_version: response.headers["data-version"],
        attempt: attempt, duration: duration, rate_limits: limits.freeze
      )
    end

    # @return [Numeric, nil] the seconds until the next attempt; nil if the response is final
    def pause(max_wait)
      Retries.pause_after(response, info.attempt - 1, max_wait)
    end

    # @return [Quota]
    # @raise [Error]
    def quota
      read { |body| quota_of(body) || raise(Unexpected) }
    end

    # @return [Result]
    # @raise [Error]
    def result
      result_in_error || read { |body| result_of(body) }
    end

    # @param count [Integer] how many numbers were sent
    # @return [Array<Result, VerificationFailedError>]
    # @raise [Error]
    def results(count)
      read do |body|
        items = body["results"]
        raise Unexpected unless items.is_a?(Array) && items.length == count

        items.map { |item| item_of(object(item)) }
      end
    end

    # The items of a stream's response, and why it ended early.
    #
    # @param count [Integer] how many lines were sent
    # @return [Array(Array, Error, Response)] the items; the error that ended it, or nil; its line as a response, if the
    #   service ended it
    def stream_items(count)
      items = []
      # As bytes: a line that isn't UTF-8 is unusable, and the earlier ones are not.
      response.body.b.split("\n").each do |line|
        next if line.strip.empty?

        fields = json(line)
        return [items, nil, response_of(fields)] if fields.is_a?(Hash) && fields["ended"] == true

        items << stream_item(object(fields))
        raise Unexpected if items.length > count
      end
      raise Unexpected if items.length < count

      [items, nil, nil]
    rescue Unexpected
      [items.first(count), unexpected(ServerError), nil]
    end

    # @return [Error] the error of a response other than 200
    def error
      return unexpected(ServerError) if response.status < 400

      body = object(json(response.body))
      message, code = body.values_at("error", "code").map { |value| text(value) || raise(Unexpected) }
      type = error_type(code)
      type.new(message, code: code, **details, **particulars(type, body))
    rescue Unexpected
      unexpected(error_type(nil))
    end

    private

    # A result, or the error of a line's number.
    def stream_item(fields)
      result = read_result(fields, info)
      return result if result

      failure = Answer.new(response_of(fields), info.attempt, info.duration).error
      [VerificationFailedError, InvalidRequestError].include?(failure.class) ? failure : raise(Unexpected)
    end

    # A line's error, as the response to a single call.
    def response_of(fields)
      headers = response.headers.except("retry-after")
      headers["retry-after"] = fields["retry_after"].to_s if fields["retry_after"].is_a?(Integer)
      status = fields["http_status"].is_a?(Integer) ? fields["http_status"] : 200
      Response.new(status: status, headers: headers, body: JSON.generate(fields))
    end

    def read
      raise error unless response.status == 200

      begin
        yield object(json(response.body))
      rescue Unexpected
        # The cause's text would contain parts of the body.
        raise unexpected(ServerError), cause: nil
      end
    end

    def json(body)
      text = String.new(body, encoding: Encoding::UTF_8)
      raise Unexpected unless text.valid_encoding?

      JSON.parse(text, freeze: true, max_nesting: DEEPEST)
    rescue JSON::ParserError
      raise Unexpected
    end

    def object(value)
      value.is_a?(Hash) ? value : raise(Unexpected)
    end

    # A value of the wrong type counts as absent.
    def text(value)
      value if value.is_a?(String)
    end

    def texts(value)
      (value.is_a?(Array) ? value.grep(String) : []).freeze
    end

    def boolean(value, default = nil)
      [true, false].include?(value) ? value : default
    end

    def item_of(item)
      item["error"].is_a?(String) ? failure_of(item) : result_of(item)
    end

    def result_of(fields)
      read_result(fields, info) || raise(Unexpected)
    end

    def quota_of(fields)
      return unless fields.is_a?(Hash) && fields["used"].is_a?(Integer)

      limit, remaining = fields.values_at("limit", "remaining").map { |value| value if value.is_a?(Integer) }
      plan, resets_at = fields.values_at("plan", "resets_at").map { |value| text(value) }
      Quota.new(
        plan: plan, limit: limit, used: fields["used"], remaining: remaining, resets_at: resets_at,
        key_cap: quota_of(fields["key_cap"])
      )
    end

    def failure_of(item)
      code = text(item["code"]) || "UNEXPECTED_RESPONSE"
      VerificationFailedError.new(item["error"], code: code, request_id: request_id)
    end

    def unexpected(type)
      redirect = ": redirects aren't followed" if response.status.between?(300, 399)
      message = "Unexpected response (HTTP #{response.status})#{redirect}."
      type.new(message, code: "UNEXPECTED_RESPONSE", **details, **particulars(type, {}))
    end

    def error_type(code)
      status = response.status
      return ERRORS_BY_STATUS[status] if ERRORS_BY_STATUS.key?(status)
      return RateLimitError if status == 429
      return VerificationFailedError if status == 400 && SANDBOX_CODES.include?(code)

      status.between?(400, 499) ? InvalidRequestError : ServerError
    end

    def particulars(type, body)
      return { quota: quota_of(body["quota"]) } if type == QuotaError
      return { retry_after: Retries.retry_after(response) } if type == RateLimitError
      return {} unless type == InvalidRequestError && body["fields"].is_a?(Hash)

      { fields: body["fields"].select { |_name, problem| problem.is_a?(String) } }
    end

    # With a test key, an input that is too short is a 400 with its result.
    def result_in_error
      fields = object(json(response.body))["result"] if response.status == 400
      read_result(fields, info) if fields.is_a?(Hash)
    rescue Unexpected
      nil
    end

    def details
      { status: response.status, request_id: request_id }
    end

    def request_id
      response.headers["x-request-id"]
    end
  end
  private_constant :Answer
end
