# frozen_string_literal: true

require_relative "helper"
require "socket"

class NetHTTPClientTest < Minitest::Test
  include Helper

  # Serves one connection with a block that gets the socket after the request has been read.
  def with_server
    server = TCPServer.new("127.0.0.1", 0)
    thread = Thread.new do
      socket = server.accept
      length = 0
      while (line = socket.gets) && line != "\r\n"
        length = line[/\AContent-Length: (\d+)/i, 1].to_i if line.match?(/\AContent-Length/i)
      end
      socket.read(length)
      yield socket
    rescue SystemCallError, IOError
      nil # The client has gone.
    ensure
      socket&.close
    end
    @url = "http://127.0.0.1:#{server.addr[1]}"
    server
  ensure
    @server_thread = thread
  end

  def teardown
    @server_thread&.kill&.join
  end

  def ask(**options)
    started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    client = Checkline::Client.new(api_key: KEY, base_url: @url, max_retries: 0, **options)
    error = assert_raises(Checkline::ConnectionError) { client.lookup("+5511987654321") }
    [error.code, Process.clock_gettime(Process::CLOCK_MONOTONIC) - started]
  end

  def assert_ends_in_time(**options)
    code, seconds = ask(timeout: 0.4, **options)
    assert_equal "TIMEOUT", code
    assert_includes 0.35..2.0, seconds
  end

  def trickle(socket, text)
    text.each_char do |char|
      socket.write(char)
      sleep 0.05
    end
  end

  def test_a_slow_header_times_out
    with_server { |socket| trickle(socket, "HTTP/1.1 200 OK\r\nContent-Length: 14\r\nX-Long: #{"x" * 100}\r\n\r\n") }
    assert_ends_in_time
  end

  def test_a_slow_body_times_out
    with_server do |socket|
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 200\r\n\r\n")
      trickle(socket, " " * 200)
    end
    assert_ends_in_time
  end

  def test_connecting_times_out
    full = Socket.new(:INET, :STREAM)
    full.bind(Addrinfo.tcp("127.0.0.1", 0))
    full.listen(0)
    # With a full accept queue, Linux answers no further connection.
    waiting = Array.new(3) do
      Socket.new(:INET, :STREAM).tap { |socket| socket.connect_nonblock(full.local_address, exception: false) }
    end
    @url = "http://127.0.0.1:#{full.local_address.ip_port}"
    code, seconds = ask(open_timeout: 0.3)
    assert_equal "TIMEOUT", code
    assert_includes 0.25..2.0, seconds
  ensure
    [full, *waiting].each(&:close)
  end

  def test_a_short_body_is_a_failed_connection
    with_server { |socket| socket.write("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{\"valid\":true}") }
    assert_equal "CONNECTION_FAILED", ask.first
  end

  def test_invalid_http_is_a_failed_connection
    with_server { |socket| socket.write("220 mail.test ready\r\n") }
    assert_equal "CONNECTION_FAILED", ask.first
  end

  def test_the_callers_timeout_is_not_reported_as_the_clients
    with_server { sleep }
    client = Checkline::Client.new(api_key: KEY, base_url: @url)
    assert_raises(Timeout::Error) { Timeout.timeout(0.2) { client.verify("+5511987654321") } }
  end
end
