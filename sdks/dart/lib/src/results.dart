part of 'outcomes.dart';

/// The short result for one number.
final class Verification {
  /// Creates a result, for tests.
  const Verification({required this.valid, this.carrier});

  /// Whether the number is in a range assigned by its country's numbering
  /// plan.
  final bool valid;

  /// The carrier the range was first allocated to; null if unknown.
  final String? carrier;

  @override
  String toString() => 'Verification(valid: $valid, carrier: $carrier)';
}

/// What remains of a limit.
final class RateLimit {
  /// Creates a limit, for tests.
  const RateLimit({required this.remaining, required this.reset});

  /// The remaining count.
  final int remaining;

  /// The time until more are available.
  final Duration reset;

  @override
  String toString() => 'RateLimit(remaining: $remaining, reset: $reset)';
}

/// A response's metadata. Contains neither the number nor the key, so it is
/// safe to log.
final class ResponseInfo {
  /// Creates a response, for tests.
  const ResponseInfo({
    this.status = 200,
    this.requestId,
    this.attempt = 1,
    this.duration = Duration.zero,
    this.rateLimits = const {},
  });

  /// The HTTP status. Null if a browser hides it, as it does for redirects.
  final int? status;

  /// The header `X-Request-Id`, for support requests.
  final String? requestId;

  /// The attempt number within its call, starting at 1.
  final int attempt;

  /// The time from sending the request to the end of the body.
  final Duration duration;

  /// What is left of each per-minute limit, by name: `requests` and `numbers`.
  /// Empty if the response doesn't say.
  final Map<String, RateLimit> rateLimits;

  @override
  String toString() => 'ResponseInfo(status: $status, requestId: $requestId, '
      'attempt: $attempt, duration: $duration, rateLimits: $rateLimits)';
}

/// The state of a quota, counted in successful live verifications.
final class Quota {
  /// Creates a quota, for tests.
  const Quota({
    this.plan,
    this.limit,
    required this.used,
    this.remaining,
    this.resetsAt,
    this.keyCap,
  });

  /// `trial` or `pro`; null without a subscription, and in a key's cap and an
  /// exception.
  final String? plan;

  /// Null if unlimited.
  final int? limit;

  /// The used count.
  final int used;

  /// Null if unlimited.
  final int? remaining;

  /// When it resets, in ISO 8601; null if it doesn't.
  final String? resetsAt;

  /// The calling key's monthly cap; null without one.
  final Quota? keyCap;

  @override
  String toString() => 'Quota(plan: $plan, limit: $limit, used: $used, '
      'remaining: $remaining, resetsAt: $resetsAt, keyCap: $keyCap)';
}

/// The outcome of one number of a batch: its [LookupResult], or the
/// [VerificationFailedException] that rejected it, which is returned instead of
/// thrown, so one number doesn't affect the others.
sealed class BatchItem {}

/// The full result for one number.
///
/// Unknown fields are null. Enum values are plain strings, since later versions
/// may add some.
final class LookupResult implements BatchItem {
  /// Creates a result, for tests.
  const LookupResult({
    required this.valid,
    this.number,
    this.localFormat,
    this.internationalFormat,
    this.countryPrefix,
    this.countryCode,
    this.countryName,
    this.location,
    this.carrier,
    this.lineType,
    this.numberType = 'unknown',
    this.extension,
    bool? possible,
    this.reason,
    this.suggestion,
    this.shortCode,
    this.timeZones = const [],
    this.carrierSource = 'original_allocation',
    this.numberPortability,
    this.deliverability = const Deliverability(),
    this.reachability = 'not_checked',
    this.accepted,
    this.rejectedBecause,
    this.status,
    this.response = const ResponseInfo(),
  }) : possible = possible ?? valid;

  /// Whether the number is in a range assigned by its country's numbering
  /// plan.
  final bool valid;

  /// The number in E.164, as we understood it; null if we couldn't read one
  /// or it has more than 15 digits.
  final String? number;

  /// How the number is written within its country; null if invalid.
  final String? localFormat;

  /// How the number is written for callers abroad; null if invalid.
  final String? internationalFormat;

  /// The calling code with its plus sign, for example `+55`.
  final String? countryPrefix;

  /// ISO 3166-1 alpha-2; null for calling codes that don't belong to a country.
  final String? countryCode;

  /// The country's English name.
  final String? countryName;

  /// The area a geographic number was assigned to, or the country name if the
  /// plan has nothing more specific.
  final String? location;

  /// The carrier the range was first allocated to. A ported number may have
  /// moved to another.
  final String? carrier;

  /// `mobile`, `fixed` or `voip`; null if the numbering plan can't tell mobile
  /// from fixed.
  final String? lineType;

  /// The numbering plan's own, more specific type, for example `toll_free`.
  final String numberType;

  /// The extension in the input, digits only.
  final String? extension;

  /// Whether the number is valid, or at least has a length the country's
  /// numbering plan uses.
  final bool possible;

  /// Why the number is invalid, for example `TOO_SHORT`; null if valid.
  final String? reason;

  /// The number the user may have meant, if exactly one fits.
  final Suggestion? suggestion;

  /// Details about a short code; null unless [reason] is `SHORT_CODE`.
  final ShortCode? shortCode;

  /// IANA time zones the number may be in; empty if invalid.
  final List<String> timeZones;

  /// Where [carrier] comes from: `original_allocation`, not a live network
  /// query.
  final String carrierSource;

  /// Whether mobile numbers can move between carriers in this country; null
  /// without a country.
  final bool? numberPortability;

  /// An estimate of how reachable the number is.
  final Deliverability deliverability;

  /// `not_checked`: we never contact the handset.
  final String reachability;

  /// Whether the number meets the call's `expectCountry` and `acceptTypes`; null
  /// without either.
  final bool? accepted;

  /// Why the number isn't accepted, for example `OTHER_COUNTRY`.
  final String? rejectedBecause;

  /// The delivery status of the sandbox; null with a live key.
  final String? status;

  /// The response that contained the result.
  final ResponseInfo response;

  @override
  String toString() => 'LookupResult(valid: $valid, number: $number, '
      'countryCode: $countryCode, carrier: $carrier, lineType: $lineType, '
      'reason: $reason, status: $status)';
}

/// The number the user may have meant. Ask before you use it.
final class Suggestion {
  /// Creates a suggestion, for tests.
  const Suggestion({required this.number, required this.reason});

  /// A valid number in E.164.
  final String number;

  /// How the number sent differs from it, for example `MISSING_PLUS`.
  final String reason;

  @override
  String toString() => 'Suggestion(number: $number, reason: $reason)';
}

/// Details about a short code.
final class ShortCode {
  /// Creates a short code, for tests.
  const ShortCode({required this.cost, required this.emergency});

  /// What a call costs: `toll_free`, `standard_rate`, `premium_rate`, or
  /// `unknown`.
  final String cost;

  /// Whether it reaches an emergency service.
  final bool emergency;

  @override
  String toString() => 'ShortCode(cost: $cost, emergency: $emergency)';
}

/// What the numbering plan says about reaching a number. No network is queried.
final class Deliverability {
  /// Creates an estimate, for tests.
  const Deliverability({
    this.sms = 'unknown',
    this.voice = 'unknown',
    this.flags = const [],
  });

  /// Whether numbers of this kind receive text messages: `likely`, `unlikely`,
  /// or `unknown`.
  final String sms;

  /// Whether numbers of this kind receive calls, with the same values.
  final String voice;

  /// The reasons behind the estimates, and other warning signs, for example
  /// `premium_rate`.
  final List<String> flags;

  @override
  String toString() =>
      'Deliverability(sms: $sms, voice: $voice, flags: $flags)';
}
