# frozen_string_literal: true

module Checkline
  # Raised by every failed call. Rescue this to rescue them all.
  class Error < StandardError
    # @return [String] a stable code for what happened, for example INVALID_API_KEY. Unknown codes are passed on;
    # UNEXPECTED_RESPONSE means a response that is not the service's own.
    attr_reader :code
    # @return [Integer, nil] the HTTP status, nil without a response and for an item of a batch
    attr_reader :status
    # @return [String, nil] the X-Request-Id of the response, for support requests
    attr_reader :request_id

    def initialize(message, code:, status: nil, request_id: nil)
      super(message)
      @code = code
      @status = status
      @request_id = request_id
    end
  end

  # The key is invalid, expired, or revoked, or lacks permission (401, 403).
  class AuthenticationError < Error; end

  # Not enough quota or cap left (402).
  class QuotaError < Error
    # @return [Quota, nil] the figures of the limit that rejected the call: limit, used and remaining; nil if there are
    # none
    attr_reader :quota

    def initialize(message, quota: nil, **details)
      super(message, **details)
      @quota = quota
    end
  end

  # Too many requests (429).
  class RateLimitError < Error
    # @return [Integer, nil] the seconds to wait before the next call, if the service says so
    attr_reader :retry_after

    def initialize(message, retry_after: nil, **details)
      super(message, **details)
      @retry_after = retry_after
    end
  end

  # The service rejected the request (other 4xx).
  class InvalidRequestError < Error
    # @return [Hash{String => String}] the problem with each invalid field; often empty
    attr_reader :fields

    def initialize(message, fields: {}, **details)
      super(message, **details)
      @fields = fields.freeze
    end
  end

  # One of the sandbox's nine failing numbers. Raised by a single call, and an item in a list.
  class VerificationFailedError < Error; end

  # The service failed (5xx), or its response is unusable: a redirect, a page, or unexpected JSON.
  class ServerError < Error; end

  # There was no response, or it was cut off: code is TIMEOUT or CONNECTION_FAILED.
  class ConnectionError < Error; end
end
