part of 'outcomes.dart';

/// Whatever goes wrong in a call. The subclass says what kind of failure it
/// is.
///
/// Nothing that an exception says contains the API key.
sealed class ChecklineException implements Exception {
  const ChecklineException(
    this.message, {
    required this.code,
    this.status,
    this.requestId,
  });

  /// The service's own sentence about what happened.
  final String message;

  /// A stable name for what happened, for example `QUOTA_EXCEEDED`.
  ///
  /// It is `UNEXPECTED_RESPONSE` where the response is not the service's own, and
  /// `TIMEOUT` or `CONNECTION_FAILED` where there is none.
  final String code;

  /// The HTTP status of the response; null without one and for an item of a
  /// batch.
  final int? status;

  /// The header `X-Request-Id` of the response, which the service's support asks
  /// for.
  final String? requestId;

  @override
  String toString() => [
        '$_name: $code: $message',
        if (status != null) ' (status $status)',
        if (requestId != null) ' (request $requestId)',
      ].join();

  /// The class's name, which a compiler to JavaScript would shorten.
  String get _name;
}

/// The key is not valid, has expired or been revoked, or may not do this: status 401 or
/// 403.
final class AuthenticationException extends ChecklineException {
  /// Creates an exception, as tests may need it.
  const AuthenticationException(
    super.message, {
    required super.code,
    super.status,
    super.requestId,
  });

  @override
  String get _name => 'AuthenticationException';
}

/// The quota of the subscription or the cap of the key has too little left:
/// status 402.
final class QuotaException extends ChecklineException {
  /// Creates an exception, as tests may need it.
  const QuotaException(
    super.message, {
    required super.code,
    super.status,
    super.requestId,
    this.quota,
  });

  /// The figures of what refused the call: limit, used and remaining. Null
  /// where there are none.
  final Quota? quota;

  @override
  String get _name => 'QuotaException';
}

/// Too many requests: status 429.
final class RateLimitException extends ChecklineException {
  /// Creates an exception, as tests may need it.
  const RateLimitException(
    super.message, {
    required super.code,
    super.status,
    super.requestId,
    this.retryAfter,
  });

  /// How long the service asks to wait before the next call, in whole seconds;
  /// null where the response does not say.
  final Duration? retryAfter;

  @override
  String get _name => 'RateLimitException';
}

/// The service does not accept the request: any status 4xx that has no
/// own exception.
final class InvalidRequestException extends ChecklineException {
  /// Creates an exception, as tests may need it.
  const InvalidRequestException(
    super.message, {
    required super.code,
    super.status,
    super.requestId,
    this.fields = const {},
  });

  /// With the code `VALIDATION_FAILED`: what is wrong with each offending
  /// field, by its name in the API.
  final Map<String, String> fields;

  @override
  String get _name => 'InvalidRequestException';
}

/// A failing scenario of the sandbox. Thrown for a single number, returned in
/// place of a result in a batch.
final class VerificationFailedException extends ChecklineException
    implements BatchItem {
  /// Creates an exception, as tests may need it.
  const VerificationFailedException(
    super.message, {
    required super.code,
    super.status,
    super.requestId,
  });

  @override
  String get _name => 'VerificationFailedException';
}

/// The service failed (status 5xx), or gave a response that cannot be used: a
/// status below 400 that is not 200, or a body that is not the API's.
final class ServerException extends ChecklineException {
  /// Creates an exception, as tests may need it.
  const ServerException(
    super.message, {
    required super.code,
    super.status,
    super.requestId,
  });

  @override
  String get _name => 'ServerException';
}

/// There was no response: [code] is `TIMEOUT` or `CONNECTION_FAILED`.
///
/// The service may have carried out the request. To repeat it without being
/// charged twice, use the same Idempotency-Key.
final class ConnectionException extends ChecklineException {
  /// Creates an exception, as tests may need it.
  const ConnectionException(super.message, {required super.code, this.cause});

  /// What the HTTP client said, if anything.
  final Object? cause;

  @override
  String get _name => 'ConnectionException';
}
