# frozen_string_literal: true

module Checkline
  # When a failed attempt is followed by another.
  module Retries
    FIRST_PAUSE = 0.5
    LONGEST_PAUSE = 8.0
    # A longer wait than this is the caller's decision.
    LONGEST_RETRY_AFTER = 30

    module_function

    # @param response [Response]
    # @return [Integer, nil] the whole seconds that the answer asks to wait; nil where it asks for something else
    def retry_after(response)
      return unless [429, 503].include?(response.status)

      response.headers["retry-after"]&.slice(/\A[ \t]*(\d{1,9})[ \t]*\z/, 1)&.to_i
    end

    # @param response [Response]
    # @param attempt [Integer] 0 after the first attempt
    # @return [Numeric, nil] the seconds until the next attempt; nil where the answer is to stand
    def pause_after(response, attempt)
      return unless response.status == 429 || response.status >= 500

      asked = retry_after(response)
      return pause(attempt) unless asked

      asked if asked <= LONGEST_RETRY_AFTER
    end

    # @param attempt [Integer] 0 after the first attempt
    # @param random [Float] from 0 to 1
    # @return [Float] the seconds until the next attempt; half of them is random, so that clients spread out
    def pause(attempt, random: rand)
      [FIRST_PAUSE * 2**attempt, LONGEST_PAUSE].min * (1 + random) / 2
    end
  end
  private_constant :Retries
end
