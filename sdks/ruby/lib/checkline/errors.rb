# frozen_string_literal: true

module Checkline
  # The base class of all call errors. Rescue it to rescue them all.
  class Error < StandardError
    # @return [String] a stable name for the error, for example INVALID_API_KEY. Codes that this version doesn't
    #   recognize are passed through. UNEXPECTED_RESPONSE means that the response isn't the service's.
    attr_reader :code
    # @return [Integer, nil] the HTTP status, nil without a response and for a batch item
    attr_reader :status
    # @return [String, nil] the response's X-Request-Id, for support
    attr_reader :request_id

    def initialize(message, code:, status: nil, request_id: nil)
      super(message)
      @code = code
      @status = status
      @request_id = request_id
    end
  end

  # The key is wrong, expired, revoked, or not allowed to do this (401, 403).
  class AuthenticationError < Error; end

  # Not enough quota or cap left (402).
  class QuotaError < Error
    # @return [Quota, nil] the details of the quota or cap: limit, used, and remaining; nil if the response has none
    attr_reader :quota

    def initialize(message, quota: nil, **details)
      super(message, **details)
      @quota = quota
    end
  end

  # Too many requests (429).
  class RateLimitError < Error
    # @return [Integer, nil] the seconds to wait before the next call, if the response has them
    attr_reader :retry_after

    def initialize(message, retry_after: nil, **details)
      super(message, **details)
      @retry_after = retry_after
    end
  end

  # The request is invalid (other 4xx).
  class InvalidRequestError < Error
    # @return [Hash{String => String}] what's wrong with each field; often empty
    attr_reader :fields

    def initialize(message, fields: {}, **details)
      super(message, **details)
      @fields = fields.freeze
    end
  end

  # The verification failed: a failing sandbox scenario. Raised by a single call, and an item in a batch.
  class VerificationFailedError < Error; end

  # The service failed (5xx), or its response is unusable: a redirect, a page, or unexpected JSON.
  class ServerError < Error; end

  # There was no complete response: code is TIMEOUT or CONNECTION_FAILED.
  class ConnectionError < Error; end
end
