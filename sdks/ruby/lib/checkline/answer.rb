# frozen_string_literal: true

require "json"

module Checkline
  # Reads the service's answers. What is not of their form is an error, never a guess.
  class Answer
    # The body is none of the service's.
    Unexpected = Class.new(StandardError)

    TEXTS = %i[
      number local_format international_format country_prefix country_code country_name location carrier line_type
      number_type extension reason carrier_source reachability status
    ].freeze
    ERRORS_BY_STATUS = { 401 => AuthenticationError, 403 => AuthenticationError, 402 => QuotaError }.freeze

    # @param response [Response]
    def initialize(response)
      @response = response
    end

    # @return [Result]
    # @raise [Error]
    def result
      read { |body| result_of(body) }
    end

    # @param count [Integer] how many numbers were asked for
    # @return [Array<Result, VerificationFailedError>]
    # @raise [Error]
    def results(count)
      read do |body|
        items = typed(body["results"], Array)
        raise Unexpected unless items.length == count

        items.map { |item| typed(item, Hash).key?("error") ? failure_of(item) : result_of(item) }
      end
    end

    private

    attr_reader :response

    def read
      raise error unless response.status.between?(200, 299)

      begin
        yield typed(json, Hash)
      rescue Unexpected
        # The cause would have parts of the body in its text.
        raise unexpected(ServerError), cause: nil
      end
    end

    def json
      text = String.new(response.body, encoding: Encoding::UTF_8)
      raise Unexpected unless text.valid_encoding?

      JSON.parse(text, freeze: true)
    rescue JSON::ParserError
      raise Unexpected
    end

    def typed(value, *types)
      types.any? { |type| type === value } ? value : raise(Unexpected)
    end

    def text(value)
      typed(value, String, nil)
    end

    def texts(value)
      typed(value, Array, nil).to_a.map { |each| typed(each, String) }.freeze
    end

    def result_of(fields)
      Result.new(
        valid: typed(fields["valid"], true, false),
        possible: typed(fields["possible"], true, false, nil),
        number_portability: typed(fields["number_portability"], true, false, nil),
        time_zones: texts(fields["time_zones"]),
        deliverability: deliverability_of(typed(fields["deliverability"], Hash, nil)),
        **TEXTS.to_h { |name| [name, text(fields[name.to_s])] }
      )
    end

    def deliverability_of(fields)
      return if fields.nil?

      Deliverability.new(sms: text(fields["sms"]), voice: text(fields["voice"]), flags: texts(fields["flags"]))
    end

    def failure_of(item)
      VerificationFailedError.new(typed(item["error"], String), code: typed(item["code"], String), request_id: request_id)
    end

    # The error that an answer outside 2xx stands for.
    def error
      body = typed(json, Hash)
      message = typed(body["error"], String)
      type = error_type(message)
      type.new(message, code: typed(body["code"], String), **details, **particulars(type, body))
    rescue Unexpected
      unexpected(error_type(""))
    end

    def unexpected(type)
      redirect = response.status.between?(300, 399)
      message = "The answer (HTTP #{response.status}) is none of Checkline's#{"; redirects are not followed" if redirect}."
      type.new(message, code: "UNEXPECTED_ANSWER", **details, **particulars(type, {}))
    end

    def error_type(message)
      status = response.status
      return ERRORS_BY_STATUS[status] if ERRORS_BY_STATUS.key?(status)
      return RateLimitError if status == 429
      return VerificationFailedError if status == 400 && message.start_with?("verification failed")

      status.between?(400, 499) ? InvalidRequestError : ServerError
    end

    def particulars(type, body)
      return { retry_after: Retries.retry_after(response) } if type == RateLimitError
      return {} unless type == InvalidRequestError && body["fields"].is_a?(Hash)

      { fields: body["fields"].select { |_name, problem| problem.is_a?(String) } }
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
