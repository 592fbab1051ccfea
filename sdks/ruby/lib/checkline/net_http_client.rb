# frozen_string_literal: true

require "net/http"
require "timeout"

module Checkline
  # The default HTTP client: Net::HTTP with persistent connections, for any number of threads. It follows no redirects
  # and does not retry. Uses the environment's proxies like Net::HTTP.
  class NetHTTPClient
    # Seconds after which an idle connection is not reused: middleboxes may have dropped it.
    LONGEST_IDLE = 30
    private_constant :LONGEST_IDLE

    def initialize
      @idle = Hash.new { |idle, way| idle[way] = [] }
      @lock = Mutex.new
    end

    # @param request [Request]
    # @return [Response]
    # @raise [Timeout::Error, SystemCallError, SocketError, IOError, OpenSSL::SSL::SSLError, Net::ProtocolError]
    def call(request)
      way = [Process.pid, request.uri.scheme, request.uri.hostname, request.uri.port]
      http = waiting(way) || connection(request)
      # Net::HTTP's own limits restart with every byte. The outer one also ends a response that trickles in; it does no
      # harm because the connection is not reused.
      response = Timeout.timeout(request.stream? ? nil : request.timeout) do
        http.start unless http.started?
        set_time_limits(http, request)
        response_of(http.request(message(request)))
      end
      keep(way, http)
      http = nil
      response
    ensure
      finish(http)
    end

    # Closes idle connections. The client can still be used.
    #
    # @return [void]
    def close
      @lock.synchronize { @idle.values.flatten.tap { @idle.clear } }.each { |http| finish(http) }
    end

    private

    def connection(request)
      http = Net::HTTP.new(request.uri.hostname, request.uri.port)
      http.use_ssl = request.uri.scheme == "https"
      http.max_retries = 0
      http.open_timeout = [request.open_timeout, request.timeout].min
      # Net::HTTP checks whether the other side has closed a connection, and reopens it.
      http.keep_alive_timeout = LONGEST_IDLE
      set_time_limits(http, request)
      http
    end

    def set_time_limits(http, request)
      http.read_timeout = request.timeout
      http.write_timeout = request.timeout
    end

    def waiting(way)
      @lock.synchronize { @idle[way].pop }
    end

    def keep(way, http)
      @lock.synchronize { @idle[way].push(http) }
    end

    def finish(http)
      http.finish if http&.started?
    rescue IOError
      nil # It is closed.
    end

    def message(request)
      type = request.method == "GET" ? Net::HTTP::Get : Net::HTTP::Post
      # Without compression, Content-Length is the body's own length, which response_of relies on.
      message = type.new(request.uri, "Accept-Encoding" => "identity")
      request.headers.each { |name, value| message[name] = value }
      message.body = request.body
      message
    end

    def response_of(answer)
      body = answer.body || ""
      # Net::HTTP treats a connection that ends early as the end of the body.
      raise EOFError, "the body broke off" if body.bytesize < (answer.content_length || 0)

      Response.new(status: answer.code.to_i, headers: answer.each_header.to_h, body: body)
    end
  end
end
