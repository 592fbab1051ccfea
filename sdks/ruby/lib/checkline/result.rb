# frozen_string_literal: true

require "json"

module Checkline
  # Lets JSON.generate and Rails write a result as an object, not as its text.
  module AsJSON
    # @return [String] the fields as a JSON object
    def to_json(*options)
      to_h.to_json(*options)
    end

    # @return [Hash{Symbol => Object}] the fields, for Rails
    def as_json(*)
      to_h
    end
  end

  # What remains of a limit. Frozen.
  #
  # +remaining+:: how many remain
  # +reset_seconds+:: seconds until more are available
  RateLimit = Struct.new(:remaining, :reset_seconds, keyword_init: true) do
    include AsJSON

    def initialize(**)
      super
      freeze
    end
  end

  # A response's metadata. Contains neither the number nor the key, so it is safe to log. Frozen.
  #
  # +status+:: the HTTP status
  # +request_id+:: X-Request-Id, for support requests
  # +data_version+:: Data-Version, the version of the data behind the result, such as "9.0.43+3f9c1a"; nil if there is no
  #   result
  # +attempt+:: the attempt number within its call, starting at 1
  # +duration+:: seconds from sending the request to the end of the body
  # +rate_limits+:: what is left of each per-minute limit, by name: a Hash of String to RateLimit
  ResponseInfo = Struct.new(
    :status, :request_id, :data_version, :attempt, :duration, :rate_limits, keyword_init: true
  ) do
    include AsJSON

    def initialize(**)
      super
      freeze
    end
  end

  # The state of a quota, counted in successful live verifications. Frozen.
  #
  # +plan+:: the plan's id, such as "trial"; nil without a subscription, and in a key's cap and an error
  # +limit+, +remaining+:: nil if unlimited
  # +used+:: how many are used up
  # +resets_at+:: when it resets, in ISO 8601; nil if it doesn't
  # +key_cap+:: the calling key's monthly cap, a Quota; nil without one
  Quota = Struct.new(:plan, :limit, :used, :remaining, :resets_at, :key_cap, keyword_init: true) do
    include AsJSON

    def initialize(**)
      super
      freeze
    end

    # @return [Hash{Symbol => Object}] all fields, with the key's cap as a Hash too
    def to_h
      super.merge(key_cap: key_cap&.to_h)
    end
  end

  # The short result for one number. Frozen.
  #
  # +valid+:: true or false
  # +carrier+:: the carrier whose range it is, by today's brand, or nil
  Verification = Struct.new(:valid, :carrier, keyword_init: true) do
    include AsJSON

    alias_method :valid?, :valid

    def initialize(**)
      super
      freeze
    end
  end
end
