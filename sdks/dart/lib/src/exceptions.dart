part of 'outcomes.dart';

/// The base class of all call errors. The subclass is the kind of error.
///
/// An exception never shows the API key.
sealed class ChecklineException implements Exception {
  const ChecklineException(
    this.message, {
    required this.code,
    this.status,
    this.requestId,
  });

  /// The service's message.
  final String message;

  /// A stable name for the error, for example `QUOTA_EXCEEDED`.
  ///
  /// It's `UNEXPECTED_RESPONSE` if the response isn't the service's, and
  /// `TIMEOUT` or `CONNECTION_FAILED` if there is none.
  final String code;

  /// The HTTP status of the response; null without one and for a batch item.
  final int? status;

  /// The response's header `X-Request-Id`. Include it when you contact support.
  final String? requestId;

  @override
  String toString() => [
        '$_name: $code: $message',
        if (status != null) ' (status $status)',
        if (requestId != null) ' (request $requestId)',
      ].join();

  /// The class name, which the JavaScript compiler would shorten.
  String get _name;
}

/// The key is wrong, expired, revoked, or not allowed to do this: status 401 or
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

/// Not enough quota or cap left: status 402.
final class QuotaException extends ChecklineException {
  /// Creates an exception, for tests.
  const QuotaException(
    super.message, {
    required super.code,
    super.status,
    super.requestId,
    this.quota,
  });

  /// The details of the quota or cap: limit, used, and remaining. Null if the
  /// response has none.
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

  /// The time to wait before the next call, in whole seconds; null if the
  /// response has none.
  final Duration? retryAfter;

  @override
  String get _name => 'RateLimitException';
}

/// The request is invalid: any other 4xx.
final class InvalidRequestException extends ChecklineException {
  /// Creates an exception, for tests.
  const InvalidRequestException(
    super.message, {
    required super.code,
    super.status,
    super.requestId,
    this.fields = const {},
  });

  /// With the code `VALIDATION_FAILED`: what's wrong with each field, by its
  /// API name.
  final Map<String, String> fields;

  @override
  String get _name => 'InvalidRequestException';
}

/// A failing sandbox scenario. Thrown for a single number, and returned as an
/// item in a batch.
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

/// The service failed (status 5xx) or returned an unusable response: a status
/// below 400 that isn't 200, or a body that isn't the API's.
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
