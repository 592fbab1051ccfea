part of 'outcomes.dart';

/// Any failure of a call. The subclass is the kind of failure.
///
/// No exception text contains the API key.
sealed class ChecklineException implements Exception {
  const ChecklineException(
    this.message, {
    required this.code,
    this.status,
    this.requestId,
  });

  /// The service's error message.
  final String message;

  /// A stable code for what happened, for example `QUOTA_EXCEEDED`.
  ///
  /// It is `UNEXPECTED_RESPONSE` if the response is not the service's own, and
  /// `TIMEOUT` or `CONNECTION_FAILED` without a response.
  final String code;

  /// The HTTP status of the response; null without one and for a batch item.
  final int? status;

  /// The response's `X-Request-Id` header, for support requests.
  final String? requestId;

  @override
  String toString() => [
        '$_name: $code: $message',
        if (status != null) ' (status $status)',
        if (requestId != null) ' (request $requestId)',
      ].join();

  /// The class's name, which compiling to JavaScript would shorten.
  String get _name;
}

/// The key is invalid, expired, or revoked, or lacks permission: status 401 or
/// 403.
final class AuthenticationException extends ChecklineException {
  /// Creates an exception, for tests.
  const AuthenticationException(
    super.message, {
    required super.code,
    super.status,
    super.requestId,
  });

  @override
  String get _name => 'AuthenticationException';
}

/// The subscription's quota or the key's cap has too little left: status 402.
final class QuotaException extends ChecklineException {
  /// Creates an exception, for tests.
  const QuotaException(
    super.message, {
    required super.code,
    super.status,
    super.requestId,
    this.quota,
  });

  /// The figures of the limit that rejected the call: limit, used and
  /// remaining. Null if there are none.
  final Quota? quota;

  @override
  String get _name => 'QuotaException';
}

/// Too many requests: status 429.
final class RateLimitException extends ChecklineException {
  /// Creates an exception, for tests.
  const RateLimitException(
    super.message, {
    required super.code,
    super.status,
    super.requestId,
    this.retryAfter,
  });

  /// How long the service asks to wait before the next call, in whole seconds;
  /// null if the response doesn't say.
  final Duration? retryAfter;

  @override
  String get _name => 'RateLimitException';
}

/// The service rejected the request, or a number of a stream: any other 4xx
/// status.
final class InvalidRequestException extends ChecklineException
    implements StreamItem {
  /// Creates an exception, for tests.
  const InvalidRequestException(
    super.message, {
    required super.code,
    super.status,
    super.requestId,
    this.fields = const {},
  });

  /// With the code `VALIDATION_FAILED`: the problem with each invalid field, by
  /// its API name.
  final Map<String, String> fields;

  @override
  String get _name => 'InvalidRequestException';
}

/// The number is one of the sandbox's nine failing numbers. Thrown for a single
/// number, and returned as an item in a list.
final class VerificationFailedException extends ChecklineException
    implements BatchItem {
  /// Creates an exception, for tests.
  const VerificationFailedException(
    super.message, {
    required super.code,
    super.status,
    super.requestId,
  });

  @override
  String get _name => 'VerificationFailedException';
}

/// The service failed (status 5xx), or returned an unusable response: a status
/// below 400 other than 200, or a body that is not the API's.
final class ServerException extends ChecklineException {
  /// Creates an exception, for tests.
  const ServerException(
    super.message, {
    required super.code,
    super.status,
    super.requestId,
  });

  @override
  String get _name => 'ServerException';
}

/// There was no complete response: [code] is `TIMEOUT` or `CONNECTION_FAILED`.
///
/// The service may have processed the request. To repeat it without being
/// charged twice, use the same Idempotency-Key.
final class ConnectionException extends ChecklineException {
  /// Creates an exception, for tests.
  const ConnectionException(super.message, {required super.code, this.cause});

  /// The HTTP client's error, if any.
  final Object? cause;

  @override
  String get _name => 'ConnectionException';
}
