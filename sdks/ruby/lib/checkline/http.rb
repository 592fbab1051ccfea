# frozen_string_literal: true

module Checkline
  # One attempt to ask the service, as an HTTP client is given it.
  class Request
    # @return [URI::HTTP] where to send it
    attr_reader :uri
    # @return [Hash{String => String}] the headers; Authorization has the key
    attr_reader :headers
    # @return [String] "POST" or "GET"
    attr_reader :method
    # @return [String, nil] the body, JSON in UTF-8; nil for a GET
    attr_reader :body
    # @return [Numeric] the longest time in seconds for the connection to open
    attr_reader :open_timeout
    # @return [Numeric] the longest time in seconds for the whole attempt, until the response's last byte
    attr_reader :timeout

    def initialize(uri:, headers:, body:, open_timeout:, timeout:, method: "POST")
      @uri = uri
      @headers = headers
      @body = body
      @open_timeout = open_timeout
      @timeout = timeout
      @method = method
    end

    # @return [String] without headers and body: neither keys nor numbers belong into logs
    def inspect
      "#<#{self.class} #{method} #{uri}>"
    end
  end

  # The response to a Request, as an HTTP client gives it.
  class Response
    # @return [Integer] the HTTP status
    attr_reader :status
    # @return [Hash{String => String}] the headers, names in lower case
    attr_reader :headers
    # @return [String] the body
    attr_reader :body

    def initialize(status:, headers:, body:)
      @status = status
      @headers = headers.transform_keys { |name| name.to_s.downcase }
      @body = body
    end

    # @return [String] without the body, which has numbers in it
    def inspect
      "#<#{self.class} #{status}>"
    end
  end
end
