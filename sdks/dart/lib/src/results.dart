part of 'outcomes.dart';

/// The short result for one number.
final class Verification {
  /// Creates a result, for tests.
  const Verification({required this.valid, this.carrier});

  /// Whether the number is in a range assigned by its country's numbering
  /// plan.
  final bool valid;

  /// The carrier whose range it is, by today's brand; null if unknown.
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
    this.dataVersion,
    this.attempt = 1,
    this.duration = Duration.zero,
    this.rateLimits = const {},
  });

  /// The HTTP status. Null if a browser hides it, as it does for redirects.
  final int? status;

  /// The header `X-Request-Id`, for support requests.
  final String? requestId;

  /// The header `Data-Version`, the version of the data behind the result, such
  /// as `9.0.43+3f9c1a`. Null if there is no result.
  final String? dataVersion;

  /// The attempt number within its call, starting at 1.
  final int attempt;

  /// The time from sending the request to the end of the body.
  final Duration duration;

  /// What is left of each per-minute limit, by name: `requests` and `numbers`.
  /// Empty if the response doesn't say.
  final Map<String, RateLimit> rateLimits;

  @override
  String toString() => 'ResponseInfo(status: $status, requestId: $requestId, '
      'dataVersion: $dataVersion, attempt: $attempt, duration: $duration, rateLimits: $rateLimits)';
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

  /// The plan's id, such as `trial`; null without a subscription, and in a key's cap and an
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

/// A number of a list or stream.
final class PhoneNumber {
  /// Creates a number, with + and calling code, or in the national format of
  /// its [country] or the call's.
  const PhoneNumber(this.number, {this.country, this.expectCountry});

  /// The number.
  final String number;

  /// Its ISO 3166-1 alpha-2 country, in place of the call's; null for none.
  final String? country;

  /// The ISO 3166-1 alpha-2 country it must be from, in place of the call's;
  /// null for none.
  final String? expectCountry;

  @override
  String toString() => 'PhoneNumber($number, country: $country, '
      'expectCountry: $expectCountry)';
}

/// The outcome of one number of a stream: that of a batch, or the
/// [InvalidRequestException] about this number. An exception is returned instead
/// of thrown, so one number doesn't affect the others.
sealed class StreamItem {}

/// The outcome of one number of a batch: its [LookupResult], or the
/// [VerificationFailedException] that rejected it, which is returned instead of
/// thrown, so one number doesn't affect the others.
sealed class BatchItem implements StreamItem {}
