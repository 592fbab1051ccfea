# frozen_string_literal: true

require "time"

module Checkline
  # When to retry a failed attempt.
  module Retries
    FIRST_PAUSE = 0.5
    LONGEST_PAUSE = 8.0
    DATE = /\A[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT\z/.freeze

    module_function

    # @param response [Response]
    # @return [Integer, nil] the seconds in Retry-After, given as a number or a date; nil if there are none
    def retry_after(response)
      return unless [429, 503].include?(response.status)

      asked = response.headers["retry-after"].to_s.gsub(/\A[ \t]+|[ \t]+\z/, "")
      return asked.to_i if asked.match?(/\A\d{1,9}\z/)

      [(Time.httpdate(asked) - Time.now).ceil, 0].max if asked.match?(DATE)
    rescue ArgumentError
      nil
    end

    # @param response [Response]
    # @param attempt [Integer] 0 after the first attempt
    # @param max_wait [Numeric] the longest Retry-After wait to accept, in seconds
    # @return [Numeric, nil] the seconds until the next attempt; nil if the response is final
    def pause_after(response, attempt, max_wait)
      return unless response.status == 429 || response.status >= 500

      asked = retry_after(response)
      return pause(attempt) unless asked

      asked if asked <= max_wait
    end

    # @param ending [Response] the line that ended a stream
    # @param max_wait [Numeric] the longest wait to accept, in seconds
    # @return [Integer, nil] the seconds until the rest may be sent again; nil if the line is final
    def pause_in_stream(ending, max_wait)
      asked = retry_after(ending) if ending.status == 503
      asked if asked && asked <= max_wait
    end

    # @param attempt [Integer] 0 after the first attempt
    # @param random [Float] from 0 to 1
    # @return [Float] the seconds until the next attempt; half of it is random, so that clients spread out
    def pause(attempt, random: rand)
      [FIRST_PAUSE * 2**attempt, LONGEST_PAUSE].min * (1 + random) / 2
    end
  end
  private_constant :Retries
end
