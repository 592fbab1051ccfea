# frozen_string_literal: true

module Checkline
  # What remains of a limit. Frozen.
  #
  # +remaining+:: how many remain
  # +reset_seconds+:: seconds until more are available
  RateLimit = Struct.new(:remaining, :reset_seconds, keyword_init: true) do
    def initialize(**)
      super
      freeze
    end
  end

  # A response's metadata. Contains neither the number nor the key, so it is safe to log. Frozen.
  #
  # +status+:: the HTTP status
  # +request_id+:: X-Request-Id, for support requests
  # +attempt+:: the attempt number within its call, starting at 1
  # +duration+:: seconds from sending the request to the end of the body
  # +rate_limits+:: what is left of each per-minute limit, by name: a Hash of String to RateLimit
  ResponseInfo = Struct.new(:status, :request_id, :attempt, :duration, :rate_limits, keyword_init: true) do
    def initialize(**)
      super
      freeze
    end
  end

  # The state of a quota, counted in successful live verifications. Frozen.
  #
  # +plan+:: "trial" or "pro"; nil without a subscription, and in a key's cap and an error
  # +limit+, +remaining+:: nil if unlimited
  # +used+:: how many are used up
  # +resets_at+:: when it resets, in ISO 8601; nil if it doesn't
  # +key_cap+:: the calling key's monthly cap, a Quota; nil without one
  Quota = Struct.new(:plan, :limit, :used, :remaining, :resets_at, :key_cap, keyword_init: true) do
    def initialize(**)
      super
      freeze
    end

    # @return [Hash{Symbol => Object}] all fields, with the key's cap as a Hash too
    def to_h
      super.merge(key_cap: key_cap&.to_h)
    end
  end

  # What the numbering plan says about reaching a number. No network is queried. Frozen.
  #
  # +sms+, +voice+:: "likely", "unlikely" or "unknown"
  # +flags+:: the reasons behind the estimates, and other warning signs; an Array of String
  Deliverability = Struct.new(:sms, :voice, :flags, keyword_init: true) do
    def initialize(**)
      super
      freeze
    end
  end

  # The number the user may have meant: ask before you use it. Frozen.
  #
  # +number+:: a valid number in E.164 form
  # +reason+:: how the number sent differs from it, for example "MISSING_PLUS"
  Suggestion = Struct.new(:number, :reason, keyword_init: true) do
    def initialize(**)
      super
      freeze
    end
  end

  # Details about a short code. Frozen.
  #
  # +cost+:: "toll_free", "standard_rate", "premium_rate", or "unknown"
  # +emergency+:: whether it reaches an emergency service
  ShortCode = Struct.new(:cost, :emergency, keyword_init: true) do
    alias_method :emergency?, :emergency

    def initialize(**)
      super
      freeze
    end
  end

  # The short result for one number. Frozen.
  #
  # +valid+:: true or false
  # +carrier+:: the carrier the range was first allocated to, or nil
  Verification = Struct.new(:valid, :carrier, keyword_init: true) do
    alias_method :valid?, :valid

    def initialize(**)
      super
      freeze
    end
  end

  # The full result for one number. Frozen. Unknown values are nil. Values that this version doesn't recognize are
  # passed through.
  #
  # +valid+:: whether the number is in a range assigned by its country's numbering plan
  # +number+:: the number in E.164 form
  # +local_format+, +international_format+:: how it is written within its country and for callers abroad
  # +country_prefix+:: the calling code with its plus sign, for example "+55"
  # +country_code+, +country_name+:: ISO 3166-1 alpha-2, and the English name
  # +location+:: the area a geographic number was assigned to
  # +carrier+:: the carrier that the range was first allocated to
  # +line_type+:: "mobile", "fixed" or "voip"; nil if the numbering plan can't tell
  # +number_type+:: the numbering plan's own, more specific type, for example "toll_free"
  # +extension+:: the extension in the input, digits only
  # +possible+:: whether the number is valid, or at least has a length that the country's numbering plan uses
  # +reason+:: why the number is not valid, for example "TOO_SHORT"
  # +suggestion+:: a Suggestion: the number the user may have meant, if exactly one fits
  # +short_code+:: a ShortCode, where +reason+ is "SHORT_CODE"
  # +time_zones+:: IANA names, an Array of String; empty when the number is not valid
  # +carrier_source+:: "original_allocation": the carrier comes from the allocation of the range, not from a live query
  # +number_portability+:: whether mobile numbers can move between carriers in this country
  # +deliverability+:: a Deliverability
  # +reachability+:: "not_checked": we never contact the handset
  # +accepted+:: whether the number meets expect_country and accept_types of the call
  # +rejected_because+:: why the number is not accepted, for example "OTHER_COUNTRY"
  # +status+:: the delivery status, with test keys only
  Result = Struct.new(
    :valid, :number, :local_format, :international_format, :country_prefix, :country_code, :country_name, :location,
    :carrier, :line_type, :number_type, :extension, :possible, :reason, :suggestion, :short_code, :time_zones,
    :carrier_source, :number_portability, :deliverability, :reachability, :accepted, :rejected_because, :status,
    keyword_init: true
  ) do
    alias_method :valid?, :valid
    alias_method :possible?, :possible
    alias_method :accepted?, :accepted

    # @return [ResponseInfo] the response that contained the result. Not a member: comparisons ignore it
    attr_reader :response

    def initialize(response: nil, **fields)
      @response = response
      super(**fields)
      freeze
    end

    # @return [Hash{Symbol => Object}] all fields, with nested fields as Hashes too
    def to_h
      super.merge(deliverability: deliverability&.to_h, suggestion: suggestion&.to_h, short_code: short_code&.to_h)
    end
  end
end
