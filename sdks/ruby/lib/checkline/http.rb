# frozen_string_literal: true

module Checkline
  # One attempt, as passed to an HTTP client.
  class Request
    # @return [URI::HTTP] where to send it
    attr_reader :uri
    # @return [Hash{String => String}] the headers; Authorization has the key
    attr_reader :headers
    # @return [String] "POST" or "GET"
    attr_reader :method
    # @return [String, nil] the body, JSON in UTF-8; nil for a GET
    attr_reader :body
    # @return [Numeric] the timeout for opening the connection in seconds
    attr_reader :open_timeout
    # @return [Numeric] the timeout for the attempt in seconds, including the body
    attr_reader :timeout

    def initialize(uri:, headers:, body:, open_timeout:, timeout:, method: "POST")
      @uri = uri
      @headers = headers
      @body = body
      @open_timeout = open_timeout
      @timeout = timeout
      @method = method
    end

    # @return [String] without headers and body, to keep keys and numbers out of logs
    def inspect
      "#<#{self.class} #{method} #{uri}>"
    end
  end

  # The response to a Request, as returned by an HTTP client.
  class Response
    # @return [Integer] the HTTP status
    attr_reader :status
    # @return [Hash{String => String}] the headers, with lowercase names
    attr_reader :headers
    # @return [String] the body
    attr_reader :body

    def initialize(status:, headers:, body:)
      @status = status
      @headers = headers.transform_keys { |name| name.to_s.downcase }
      @body = body
    end

    # @return [String] without the body, which contains numbers
    def inspect
      "#<#{self.class} #{status}>"
    end
  end
end
