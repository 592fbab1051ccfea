# frozen_string_literal: true

module Checkline
  # One attempt at a request, as passed to an HTTP client.
  class Request
    # @return [URI::HTTP] where to send it
    attr_reader :uri
    # @return [Hash{String => String}] the headers, including the key in Authorization
    attr_reader :headers
    # @return [String] "POST" or "GET"
    attr_reader :method
    # @return [String, nil] the body, JSON in UTF-8; nil for a GET
    attr_reader :body
    # @return [Numeric] the time limit in seconds for opening the connection
    attr_reader :open_timeout
    # @return [Numeric] the time limit in seconds for the whole attempt, through the response's last byte
    attr_reader :timeout

    def initialize(uri:, headers:, body:, open_timeout:, timeout:, method: "POST", stream: false)
      @uri = uri
      @headers = headers
      @body = body
      @open_timeout = open_timeout
      @timeout = timeout
      @method = method
      @stream = stream
    end

    # @return [Boolean] whether the timeout restarts with every byte of the response: the service may hold back a
    #   stream's lines
    def stream?
      @stream
    end

    # @return [String] the host, with the port unless it is the scheme's own
    def host
      uri.port == uri.default_port ? uri.host : "#{uri.host}:#{uri.port}"
    end

    # @param seconds [Numeric] what is left of the call
    # @return [Request] the same with time limits of at most that
    def within(seconds)
      left = [seconds, 0.001].max
      Request.new(uri: uri, headers: headers, body: body, open_timeout: [open_timeout, left].min,
                  timeout: [timeout, left].min, method: method, stream: stream?)
    end

    # @return [String] without headers and body: neither keys nor numbers belong in logs
    def inspect
      "#<#{self.class} #{method} #{uri}>"
    end
  end

  # An HTTP client's response to a Request.
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
