# frozen_string_literal: true

module Checkline
  # What the numbering plan says about reaching a number. No network is asked. Frozen.
  #
  # +sms+, +voice+:: "likely", "unlikely" or "unknown"
  # +flags+:: what led to the two, and other reasons for doubt; an Array of String
  Deliverability = Struct.new(:sms, :voice, :flags, keyword_init: true) do
    def initialize(**)
      super
      freeze
    end
  end

  # A number that may have been meant: ask before you use it. Frozen.
  #
  # +number+:: a valid number in E.164 form
  # +reason+:: how the number sent differs from it, for example "MISSING_PLUS"
  Suggestion = Struct.new(:number, :reason, keyword_init: true) do
    def initialize(**)
      super
      freeze
    end
  end

  # What is known about a short code. Frozen.
  #
  # +cost+:: "toll_free", "standard_rate", "premium_rate" or "unknown"
  # +emergency+:: whether it reaches an emergency service
  ShortCode = Struct.new(:cost, :emergency, keyword_init: true) do
    alias_method :emergency?, :emergency

    def initialize(**)
      super
      freeze
    end
  end

  # The short answer to one number. Frozen.
  #
  # +valid+:: true or false
  # +carrier+:: the carrier that the number's range was first allocated to, or nil
  Verification = Struct.new(:valid, :carrier, keyword_init: true) do
    alias_method :valid?, :valid

    def initialize(**)
      super
      freeze
    end
  end

  # The full answer to one number. Frozen. Every field but +valid+ and +time_zones+ may be nil; values that this version
  # does not know are passed on as they are.
  #
  # +valid+:: whether the number is in a range that its country's numbering plan has assigned
  # +number+:: the number in E.164 form
  # +local_format+, +international_format+:: how it is written inside its country, and for callers abroad
  # +country_prefix+:: the calling code with its plus sign, for example "+55"
  # +country_code+, +country_name+:: ISO 3166-1 alpha-2, and the English name
  # +location+:: the area a geographic number was assigned to
  # +carrier+:: the carrier that the range was first allocated to
  # +line_type+:: "mobile", "fixed" or "voip"; nil where the numbering plan cannot tell
  # +number_type+:: the numbering plan's own, finer type, for example "toll_free"
  # +extension+:: the extension that was part of the input, digits only
  # +possible+:: whether the number is valid, or at least has a length that the country's numbering plan uses
  # +reason+:: why the number is not valid, for example "TOO_SHORT"
  # +suggestion+:: a Suggestion: the number that may have been meant, where there is exactly one
  # +short_code+:: a ShortCode, where +reason+ is "SHORT_CODE"
  # +time_zones+:: IANA names, an Array of String; empty when the number is not valid
  # +carrier_source+:: "original_allocation": the carrier comes from the allocation of the range, not from a live query
  # +number_portability+:: whether mobile numbers can move between carriers in this country
  # +deliverability+:: a Deliverability
  # +reachability+:: "not_checked": the handset is never contacted
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

    def initialize(**)
      super
      freeze
    end

    # @return [Hash{Symbol => Object}] all fields, those of its parts as Hashes too
    def to_h
      super.merge(deliverability: deliverability&.to_h, suggestion: suggestion&.to_h, short_code: short_code&.to_h)
    end
  end
end
