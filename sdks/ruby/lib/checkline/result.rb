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
  # +possible+:: whether the length is one that the country's numbering plan uses
  # +reason+:: why the number is not valid, for example "TOO_SHORT"
  # +time_zones+:: IANA names, an Array of String; empty when the number is not valid
  # +carrier_source+:: "original_allocation": the carrier comes from the allocation of the range, not from a live query
  # +number_portability+:: whether mobile numbers can move between carriers in this country
  # +deliverability+:: a Deliverability
  # +reachability+:: "not_checked": the handset is never contacted
  # +status+:: the delivery status, with test keys only
  Result = Struct.new(
    :valid, :number, :local_format, :international_format, :country_prefix, :country_code, :country_name, :location,
    :carrier, :line_type, :number_type, :extension, :possible, :reason, :time_zones, :carrier_source,
    :number_portability, :deliverability, :reachability, :status,
    keyword_init: true
  ) do
    alias_method :valid?, :valid
    alias_method :possible?, :possible

    def initialize(**)
      super
      freeze
    end

    # @return [Hash{Symbol => Object}] all fields, deliverability as a Hash too
    def to_h
      super.merge(deliverability: deliverability&.to_h)
    end
  end
end
