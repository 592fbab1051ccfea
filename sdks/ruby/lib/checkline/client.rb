# frozen_string_literal: true

require "json"
require "securerandom"
require "uri"

module Checkline
  # Calls the Checkline API.
  #
  #   client = Checkline::Client.new # the key is in CHECKLINE_API_KEY
  #   client.lookup("+5511987654321").carrier # => "TIM"
  #
  # A client is frozen and stateless: create one, and share it between any number of threads. Nothing it prints shows
  # its key.
  class Client
    # The default service.
    DEFAULT_BASE_URL = "https://checkline.example"

    LOOPBACK = %w[localhost 127.0.0.1 [::1]].freeze
    private_constant :LOOPBACK

    # Building a package for a site replaces the default with the site's address.
    NO_SERVICE = "There's no service at a .example address. Pass base_url: or set CHECKLINE_BASE_URL to yours."
    private_constant :NO_SERVICE

    BAD_URL = "The base URL must be an https URL without user, query, or fragment; " \
              "http is only for localhost, 127.0.0.1, and [::1]."
    private_constant :BAD_URL

    # In seconds: the longest that timers on every platform can wait.
    LONGEST_TIMEOUT = 2_147_483.647

    # The maximum count of numbers in one request.
    MAX_BATCH = 100

    # A stream's request has as many lines as fit into a connection's buffers, whichever side reads first.
    MAX_LINES = 500
    MAX_BYTES = 32_768
    # How many seconds the service waits until it sends an empty line of a stream.
    KEEP_ALIVE = 10

    # What prevents a response, with any HTTP client.
    TIMEOUTS = [Timeout::Error, Errno::ETIMEDOUT].freeze
    CONNECTION_FAILURES = [
      SystemCallError, SocketError, IOError, Net::ProtocolError, Net::HTTPBadResponse, Net::HTTPHeaderSyntaxError,
      OpenSSL::SSL::SSLError
    ].freeze
    private_constant :LONGEST_TIMEOUT, :MAX_BATCH, :MAX_LINES, :MAX_BYTES, :KEEP_ALIVE, :TIMEOUTS, :CONNECTION_FAILURES

    # @return [String] the address of the service
    attr_reader :base_url
    # @return [Numeric] the time limit in seconds of one attempt, through the response's last byte
    attr_reader :timeout
    # @return [Numeric] the time limit in seconds for opening a connection
    attr_reader :open_timeout
    # @return [Numeric, nil] the time limit in seconds of a call, with its retries and waits; nil for none
    attr_reader :deadline
    # @return [Integer] the most retries of a call
    attr_reader :max_retries
    # @return [Numeric] the longest Retry-After wait to accept, in seconds
    attr_reader :max_wait

    # @param api_key [String] the key; defaults to the environment variable CHECKLINE_API_KEY
    # @param base_url [String] the service's address, https (http on this machine), without user, query and fragment,
    # with or without
    #   a trailing /api/v1; defaults to CHECKLINE_BASE_URL, then DEFAULT_BASE_URL
    # @param timeout [Numeric] the time limit of one attempt, in seconds
    # @param open_timeout [Numeric] the time limit for opening a connection, in seconds
    # @param deadline [Numeric, nil] the time limit of a whole call, with its retries and waits, in seconds; of a list,
    #   each request; a stream has none. A wait that doesn't fit isn't started: the error is raised at once
    # @param max_retries [Integer] how often to retry a call after connection errors, 429, and 5xx
    # @param max_wait [Numeric] the longest Retry-After wait to accept, in seconds; if it asks for more, the error is
    #   raised at once
    # @param on_response [#call, nil] is called with the ResponseInfo of each response, for logging; what it raises, the
    #   call raises
    # @param http_client [#call] takes a Request and returns a Response. It follows no redirects, and raises
    #   ConnectionError or what Net::HTTP would raise without a response. It must be thread-safe if the client is shared
    # @raise [ArgumentError] if there is no key, or an option is invalid. The message contains neither key nor address
    def initialize(api_key: nil, base_url: nil, timeout: 10, open_timeout: 5, deadline: nil, max_retries: 2,
                   max_wait: 60, on_response: nil, http_client: NetHTTPClient.new)
      key = checked_key(api_key || ENV.fetch("CHECKLINE_API_KEY", ""))
      # In a closure, so that debuggers, loggers, and serializers don't find the key in the object.
      @authorization = -> { "Bearer #{key}" }
      @base_url = checked_url(base_url || presence(ENV.fetch("CHECKLINE_BASE_URL", "")) || DEFAULT_BASE_URL)
      @timeout = time_limit(timeout, "timeout")
      @open_timeout = time_limit(open_timeout, "open_timeout")
      @deadline = deadline && time_limit(deadline, "deadline")
      raise ArgumentError, "max_retries must be an Integer from 0" unless max_retries.is_a?(Integer) && max_retries >= 0

      raise ArgumentError, "http_client must have a method call" unless http_client.respond_to?(:call)

      raise ArgumentError, "on_response must have a method call" unless on_response.nil? || on_response.respond_to?(:call)

      @max_retries = max_retries
      @max_wait = max_wait.is_a?(Numeric) && max_wait.zero? ? max_wait : time_limit(max_wait, "max_wait")
      @on_response = on_response
      @http_client = http_client
      freeze
    end

    # Verifies one number. An invalid number is a result, not an error.
    #
    # @param number [String] with + and calling code, or in national format together with country
    # @param country [String, nil] ISO 3166-1 alpha-2 country of numbers in national format
    # @param expect_country [String, nil] country that numbers must belong to; sets +accepted+ of a result
    # @param accept_types [Array<String>, nil] number types to accept, for example ["mobile"]; sets +accepted+
    # @param accept_line_types [Array<String>, nil] line types to accept, for example ["mobile", "unknown"]; sets
    #   +accepted+
    # @param reject_unallocated [Boolean] whether to reject numbers in unassigned ranges; sets +accepted+
    # @param idempotency_key [String, nil] your own name for this call, so that repeating it is not counted twice: 1 to
    #   255 printable ASCII characters, no spaces
    # @return [Verification] whether the number is valid, and its carrier
    # @raise [Error]
    # @raise [ArgumentError] if an argument has the wrong type, is not valid text, or is an invalid idempotency key
    def verify(number, **options)
      result = lookup(number, **options)
      Verification.new(valid: result.valid, carrier: result.carrier)
    end

    # Verifies one number and returns everything known about it. Parameters and errors are those of {#verify}.
    #
    # @return [Result]
    def lookup(number, country: nil, expect_country: nil, accept_types: nil, accept_line_types: nil,
               reject_unallocated: false, idempotency_key: nil)
      options = conditions(country, expect_country, accept_types, accept_line_types, reject_unallocated)
      body = { number: text(number, "number"), **options }
      ask("/verify", body, idempotency_key).result
    end

    # Verifies up to 100 numbers in one request.
    #
    # @param numbers [Array<String, Hash>] a number with its own options is <tt>{ number: "020 7946 0018", country: "GB", expect_country: "GB" }</tt>
    # @param country [String, nil] the country of numbers in national format without their own
    # @param expect_country [String, nil] as in {#verify}
    # @param accept_types [Array<String>, nil] as in {#verify}
    # @param accept_line_types [Array<String>, nil] as in {#verify}
    # @param reject_unallocated [Boolean] as in {#verify}
    # @param idempotency_key [String, nil] your own name for this call
    # @return [Array<Result, VerificationFailedError>] in the order of the numbers. If a number's verification
    #   failed, its item is an error; it is not raised
    # @raise [Error] if the batch as a whole failed
    # @raise [ArgumentError] as in {#verify}
    def lookup_batch(numbers, country: nil, expect_country: nil, accept_types: nil, accept_line_types: nil,
                     reject_unallocated: false, idempotency_key: nil)
      raise ArgumentError, "numbers must be an Array of numbers" unless numbers.is_a?(Array)

      asked = numbers.each_with_index.map { |number, index| item(number, index) }
      asked = asked.map { |own| own.size > 1 ? own : own[:number] }
      body = { numbers: asked, **conditions(country, expect_country, accept_types, accept_line_types, reject_unallocated) }
      ask("/verify/batch", body, idempotency_key).results(numbers.length)
    end

    # Verifies any number of phone numbers, a hundred per request and several requests at a time, each in a thread.
    #
    # @param numbers [Enumerable<String, Hash>] as in {#lookup_batch}
    # @param concurrency [Integer] the most concurrent requests
    # @param idempotency_key [String, nil] your own name for this list; "-1", "-2" and so on are added for each request
    # @param options [Hash] country and conditions, as in {#lookup_batch}
    # @yieldparam item [Result, VerificationFailedError] as in {#lookup_batch}, in the order of the numbers, as they
    #   arrive
    # @return [Enumerator<Result, VerificationFailedError>, nil] without a block
    # @raise [Error] if a request failed, after the items of earlier requests
    # @raise [ArgumentError] as in {#verify}
    def lookup_all(numbers, concurrency: 4, idempotency_key: nil, **options)
      check_enumerable(numbers)
      unless concurrency.is_a?(Integer) && concurrency.positive?
        raise ArgumentError, "concurrency must be an Integer from 1"
      end
      unless block_given?
        return enum_for(:lookup_all, numbers, concurrency: concurrency, idempotency_key: idempotency_key, **options)
      end

      checked_idempotency_key(idempotency_key) unless idempotency_key.nil?
      pending = []
      begin
        eager(numbers).each_slice(MAX_BATCH).with_index(1) do |chunk, request|
          key = idempotency_key && "#{idempotency_key}-#{request}"
          pending << quiet_thread do
            items = chunk.each_with_index.map { |number, index| item(number, (request - 1) * MAX_BATCH + index) }
            lookup_batch(items, idempotency_key: key, **options)
          end
          pending.shift.value.each { |item| yield item } if pending.length == concurrency
        end
        pending.shift.value.each { |item| yield item } until pending.empty?
      ensure
        pending.each(&:kill)
      end
      nil
    end

    # Verifies any number of phone numbers, in order. Reads and sends 500 at a time as results are consumed, and keeps no
    # more in memory; the service waits when the account's number limit is reached. A connection that is cut off is not
    # retried, since its numbers may have been counted.
    #
    # @param numbers [Enumerable<String, Hash>] as in {#lookup_batch}
    # @param country [String, nil] the country of numbers in national format without their own
    # @param expect_country [String, nil] as in {#verify}
    # @param accept_types [Array<String>, nil] as in {#verify}
    # @param accept_line_types [Array<String>, nil] as in {#verify}
    # @param reject_unallocated [Boolean] as in {#verify}
    # @yieldparam item [Result, VerificationFailedError, InvalidRequestError] the error is about this number only
    # @return [Enumerator<Result, VerificationFailedError, InvalidRequestError>, nil] without a block
    # @raise [Error] if the stream ended early, after the items before it
    # @raise [ArgumentError] as in {#verify}
    def lookup_stream(numbers, country: nil, expect_country: nil, accept_types: nil, accept_line_types: nil,
                      reject_unallocated: false, &block)
      check_enumerable(numbers)
      options = conditions(country, expect_country, accept_types, accept_line_types, reject_unallocated)
      return enum_for(:lookup_stream, numbers, **options) unless block

      lines = []
      size = 0
      eager(numbers).each_with_index do |number, index|
        lines << "#{JSON.generate({ **options, **item(number, index) })}\n"
        size += lines.last.bytesize
        next if lines.length < MAX_LINES && size < MAX_BYTES

        stream_lines(lines, &block)
        lines = []
        size = 0
      end
      stream_lines(lines, &block)
      nil
    end

    # @return [Quota] what remains of the account's quota and the key's cap
    # @raise [Error]
    def quota
      ask("/account/quota", nil, nil).quota
    end

    # @return [String] without the key
    def inspect
      "#<#{self.class} base_url=#{base_url.inspect} timeout=#{timeout} open_timeout=#{open_timeout} " \
        "deadline=#{deadline.inspect} max_retries=#{max_retries} max_wait=#{max_wait}>"
    end
    alias to_s inspect

    private

    def conditions(country, expect_country, accept_types, accept_line_types, reject_unallocated)
      conditions = { country: country, expect_country: expect_country }.compact
      conditions = conditions.to_h { |name, value| [name, text(value, name.to_s)] }
      types = { accept_types: accept_types, accept_line_types: accept_line_types }.compact
      types.each { |name, values| conditions[name] = texts(values, name) }
      unless [true, false].include?(reject_unallocated)
        raise ArgumentError, "reject_unallocated must be true or false"
      end

      conditions[:reject_unallocated] = true if reject_unallocated
      conditions
    end

    def texts(values, name)
      raise ArgumentError, "#{name} must be an Array of Strings" unless values.is_a?(Array)

      values.map { |value| text(value, "each of #{name}") }
    end

    def check_enumerable(numbers)
      return if numbers.is_a?(Enumerable) && !numbers.is_a?(Hash)

      raise ArgumentError, "numbers must be an Enumerable of numbers"
    end

    # A lazy enumerator would only slice on demand.
    def eager(numbers)
      numbers.is_a?(Enumerator::Lazy) ? numbers.eager : numbers
    end

    # A number of a list or stream, with the options of its own. Its position counts from 0.
    def item(number, index)
      place = "numbers[#{index}]"
      return { number: text(number, place) } unless number.is_a?(Hash)

      given = number.transform_keys(&:to_s) # JSON.parse returns Strings
      unknown = given.keys - %w[number country expect_country]
      raise ArgumentError, "#{place} has number:, country:, and expect_country:, and no #{unknown.first}:" unless unknown.empty?

      own = { number: text(given["number"], "#{place}: number") }
      %w[country expect_country].each do |name|
        own[name.to_sym] = text(given[name], "#{place}: #{name}") unless given[name].nil?
      end
      own
    end

    # The items of some lines, which are sent again after a response that allows it.
    def stream_lines(lines)
      retries = 0
      until lines.empty?
        answer = answer_to(stream_request(lines), retries + 1)
        items, failure, ending = answer.response.status == 200 ? answer.stream_items(lines.length) : [[], nil, nil]
        items.each { |item| yield item }
        raise failure if failure

        lines = lines.drop(items.length)
        break if lines.empty?

        pause = ending ? Retries.pause_in_stream(ending, max_wait) : answer.pause(max_wait)
        raise (ending ? Answer.new(ending, retries + 1, 0.0) : answer).error if pause.nil? || retries >= max_retries

        sleep(pause)
        retries += 1
      end
    end

    def stream_request(lines)
      type = "application/x-ndjson"
      Request.new(
        uri: URI.parse("#{base_url}/api/v1/verify/stream"),
        headers: headers.merge("Accept" => type, "Content-Type" => type),
        body: lines.join,
        open_timeout: open_timeout,
        timeout: [timeout + KEEP_ALIVE, LONGEST_TIMEOUT].min,
        stream: true
      )
    end

    def ask(path, body, idempotency_key)
      persist(Request.new(
        uri: URI.parse("#{base_url}/api/v1#{path}"),
        headers: headers.merge(body.nil? ? {} : headers_of_body(idempotency_key)),
        body: body && JSON.generate(body),
        open_timeout: open_timeout,
        timeout: timeout,
        method: body.nil? ? "GET" : "POST"
      ))
    end

    # Sends a request, with retries. An attempt gets what is left until the deadline.
    def persist(request)
      finish = deadline && (now + deadline)
      (0..max_retries).each do |retries|
        answer, failure = answer_or_failure(finish ? request.within(finish - now) : request, retries + 1)
        pause = failure ? Retries.pause(retries) : answer.pause(max_wait)
        if pause.nil? || retries == max_retries || (finish && now + pause >= finish)
          raise failure if failure

          return answer
        end
        sleep(pause)
      end
    end

    def answer_or_failure(request, attempt)
      [answer_to(request, attempt), nil]
    rescue ConnectionError => failure
      [nil, failure]
    end

    def now
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end

    def answer_to(request, attempt)
      began = now
      response = send_once(request)
      answer = Answer.new(response, attempt, now - began)
      @on_response&.call(answer.info)
      answer
    end

    # Its error is raised where its value is used, and nowhere else.
    def quiet_thread(&work)
      Thread.new(&work).tap { |thread| thread.report_on_exception = false }
    end

    # Errors omit their causes: a cause's text is not ours, and might repeat what was sent.
    def send_once(request)
      @http_client.call(request)
    rescue *TIMEOUTS
      raise ConnectionError.new("No complete response from #{request.host} in time.", code: "TIMEOUT"), cause: nil
    rescue *CONNECTION_FAILURES => error
      raise ConnectionError.new("The connection to #{request.host} failed (#{error.class}).", code: "CONNECTION_FAILED"), cause: nil
    end

    def headers
      {
        "Authorization" => @authorization.call,
        "Accept" => "application/json",
        "User-Agent" => "checkline-ruby/#{VERSION}"
      }
    end

    def headers_of_body(idempotency_key)
      key = idempotency_key.nil? ? "sdk-#{SecureRandom.uuid}" : checked_idempotency_key(idempotency_key)
      { "Content-Type" => "application/json", "Idempotency-Key" => key }
    end

    def checked_key(key)
      raise ArgumentError, "No API key. Pass api_key: or set CHECKLINE_API_KEY." if key == ""
      raise ArgumentError, "The API key has characters that no key has." unless printable?(key)

      key.dup.freeze
    end

    def checked_idempotency_key(key)
      return key if printable?(key) && key.length <= 255

      raise ArgumentError, "idempotency_key must be 1 to 255 printable ASCII characters without spaces"
    end

    def printable?(value)
      value.is_a?(String) && value.ascii_only? && value.match?(/\A[\x21-\x7e]+\z/)
    end

    def checked_url(base_url)
      raise URI::InvalidURIError unless base_url.is_a?(String)

      uri = URI.parse(base_url)
      raise URI::InvalidURIError unless uri.is_a?(URI::HTTP) && !uri.host.to_s.empty?
      raise URI::InvalidURIError if uri.userinfo || uri.query || uri.fragment
      # Over http, anyone on the network path could read the key.
      raise URI::InvalidURIError unless uri.scheme.casecmp?("https") || LOOPBACK.include?(uri.host.downcase)

      raise ArgumentError, NO_SERVICE if uri.host.downcase.end_with?(".example")

      # Without the API's path and trailing slashes. A host named "api" stays.
      base_url.sub(%r{\A(https?://[^/]+.*?)(/+api/v1)?/*\z}i, "\\1").freeze
    rescue URI::InvalidURIError, EncodingError
      # The cause's text would contain the address, and with it a password.
      raise ArgumentError, BAD_URL, cause: nil
    end

    # The text in UTF-8, JSON's encoding.
    def text(value, name)
      value = value.name if value.is_a?(Symbol) && name.end_with?("country")
      raise ArgumentError, "#{name} must be a String" unless value.is_a?(String)

      utf8 = value.encode(Encoding::UTF_8)
      utf8.valid_encoding? ? utf8 : raise(EncodingError)
    rescue EncodingError
      # The cause's text would contain parts of the number.
      raise ArgumentError, "#{name} must be a text that can be written in UTF-8", cause: nil
    end

    def time_limit(seconds, name)
      return seconds if seconds.is_a?(Numeric) && seconds.real? && seconds.positive? && seconds <= LONGEST_TIMEOUT

      raise ArgumentError, "#{name} must be a number of seconds above 0 and at most #{LONGEST_TIMEOUT}"
    end

    def presence(text)
      text unless text.empty?
    end
  end
end
