# frozen_string_literal: true

require "net/http"
require "timeout"

module Checkline
  # The HTTP client that Client uses unless it is given another: Net::HTTP with a connection of its own for each request.
  # It follows no redirects and tries nothing again. Proxies are taken from the environment, as Net::HTTP does.
  class NetHTTPClient
    # @param request [Request]
    # @return [Response]
    # @raise [Timeout::Error, SystemCallError, SocketError, IOError, OpenSSL::SSL::SSLError, Net::ProtocolError]
    def call(request)
      # Net::HTTP's own limits begin anew with every byte. The one around them also ends an answer that trickles in; it
      # does no harm because the connection is not used again.
      Timeout.timeout(request.timeout) do
        connection(request).start do |http|
          response_of(http.request(post(request)))
        end
      end
    end

    private

    def connection(request)
      http = Net::HTTP.new(request.uri.hostname, request.uri.port)
      http.use_ssl = request.uri.scheme == "https"
      http.max_retries = 0
      http.open_timeout = [request.open_timeout, request.timeout].min
      http.read_timeout = request.timeout
      http.write_timeout = request.timeout
      http
    end

    def post(request)
      # Without compression Content-Length is the body's own length, which response_of relies on.
      post = Net::HTTP::Post.new(request.uri, "Accept-Encoding" => "identity")
      request.headers.each { |name, value| post[name] = value }
      post.body = request.body
      post
    end

    def response_of(answer)
      body = answer.body || ""
      # Net::HTTP takes a connection that ends early for the end of the body.
      raise EOFError, "the body broke off" if body.bytesize < (answer.content_length || 0)

      Response.new(status: answer.code.to_i, headers: answer.each_header.to_h, body: body)
    end
  end
end
