import 'dart:convert';

import 'outcomes.dart';
import 'transport.dart';

typedef _Json = Map<String, Object?>;

/// The code for a response that is not the service's own, for example a
/// gateway's page.
const _unexpected = 'UNEXPECTED_RESPONSE';

/// The codes of the sandbox's failing scenarios.
const _sandboxCodes = {
  'REJECTED_NETWORK',
  'REJECTED_FORMAT',
  'REJECTED_PREFIX_MISSING',
  'REJECTED_SUBSCRIBER_ABSENT',
  'REJECTED_UNKNOWN_SUBSCRIBER',
  'REJECTED_UNDELIVERABLE',
  'UNDELIVERABLE_NOT_DELIVERED',
  'TEMPORARY_FAILURE',
  'SERVICE_UNAVAILABLE',
};

/// Parses one response into results and exceptions. Ignores unknown fields and
/// treats a field of the wrong type as absent.
final class Answer {
  /// Parses a response's JSON, if it has any.
  Answer(this._response, {required int attempt, required Duration duration})
      : _json = _object(_read(_response)),
        info = ResponseInfo(
          // A browser hides redirects behind a status of 0.
          status: _response.status == 0 ? null : _response.status,
          requestId: _response.headers['x-request-id'],
          attempt: attempt,
          duration: duration,
          rateLimits: _rateLimits(_response.headers['ratelimit'] ?? ''),
        );

  final TransportResponse _response;
  final _Json? _json;

  /// The response's metadata.
  final ResponseInfo info;

  /// The HTTP status.
  int get status => _response.status;

  /// Whether it has a result. No other status does.
  bool get succeeded => status == 200;

  String? get _requestId => info.requestId;

  /// The header Retry-After, in seconds or as a date; null if absent or
  /// invalid.
  Duration? get retryAfter {
    final header = _response.headers['retry-after']?.trim() ?? '';
    if (RegExp(r'^[0-9]{1,9}$').hasMatch(header)) {
      return Duration(seconds: int.parse(header));
    }
    final date = _date(header);
    if (date == null) return null;
    final left = date.difference(DateTime.now()).inMilliseconds;
    return Duration(seconds: left <= 0 ? 0 : (left / 1000).ceil());
  }

  /// The result in it.
  LookupResult result() {
    final json = _json;
    if (json == null || json['valid'] is! bool) throw _unusable();
    return _result(json, info);
  }

  /// The figures in it.
  Quota quota() => _quota(_json) ?? (throw _unusable());

  /// The items of a batch of [count] numbers, in their order.
  List<BatchItem> items(int count) {
    final items = _json?['results'];
    if (items is! List<Object?> || items.length != count) throw _unusable();
    return List.unmodifiable(items.map(_item));
  }

  BatchItem _item(Object? item) {
    final json = _object(item);
    final message = json?['error'];
    if (json != null && message is String) {
      final code = _text(json, 'code') ?? _unexpected;
      return VerificationFailedException(message,
          code: code, requestId: _requestId);
    }
    if (json == null || json['valid'] is! bool) throw _unusable();
    return _result(json, info);
  }

  /// The exception for a response that is an error.
  ChecklineException failure() {
    final json = _json ?? const {};
    final (message, code) = switch (json) {
      {'error': final String message, 'code': final String code}
          when status >= 400 =>
        (
          message,
          code,
        ),
      _ => (_unusableMessage, _unexpected),
    };
    final requestId = _requestId;
    return switch (status) {
      401 || 403 => AuthenticationException(message,
          code: code, status: status, requestId: requestId),
      402 => QuotaException(
          message,
          code: code,
          status: status,
          requestId: requestId,
          quota: _quota(_object(json['quota'])),
        ),
      429 => RateLimitException(
          message,
          code: code,
          status: status,
          requestId: requestId,
          retryAfter: retryAfter,
        ),
      400 when _sandboxCodes.contains(code) => VerificationFailedException(
          message,
          code: code,
          status: status,
          requestId: requestId),
      >= 400 && < 500 => InvalidRequestException(
          message,
          code: code,
          status: status,
          requestId: requestId,
          fields: _fields(json['fields']),
        ),
      _ => ServerException(message,
          code: code, status: info.status, requestId: requestId),
    };
  }

  String get _unusableMessage => status == 0
      ? 'The response is a redirect, which is not followed.'
      : "The response, of status $status, is not the API's.";

  ServerException _unusable() => ServerException(
        _unusableMessage,
        code: _unexpected,
        status: status,
        requestId: _requestId,
      );
}

Object? _read(TransportResponse response) {
  try {
    return jsonDecode(utf8.decode(response.body));
  } on FormatException {
    return null;
  }
}

_Json? _object(Object? value) => value is _Json ? value : null;

LookupResult _result(_Json json, ResponseInfo response) => LookupResult(
      valid: json['valid'] == true,
      number: _text(json, 'number'),
      localFormat: _text(json, 'local_format'),
      internationalFormat: _text(json, 'international_format'),
      countryPrefix: _text(json, 'country_prefix'),
      countryCode: _text(json, 'country_code'),
      countryName: _text(json, 'country_name'),
      location: _text(json, 'location'),
      carrier: _text(json, 'carrier'),
      lineType: _text(json, 'line_type'),
      numberType: _text(json, 'number_type') ?? 'unknown',
      extension: _text(json, 'extension'),
      possible: _bool(json, 'possible'),
      reason: _text(json, 'reason'),
      suggestion: _suggestion(_object(json['suggestion'])),
      shortCode: _shortCode(_object(json['short_code'])),
      timeZones: _texts(json, 'time_zones'),
      carrierSource: _text(json, 'carrier_source') ?? 'original_allocation',
      numberPortability: _bool(json, 'number_portability'),
      deliverability: _deliverability(_object(json['deliverability'])),
      reachability: _text(json, 'reachability') ?? 'not_checked',
      accepted: _bool(json, 'accepted'),
      rejectedBecause: _text(json, 'rejected_because'),
      status: _text(json, 'status'),
      response: response,
    );

Deliverability _deliverability(_Json? json) => json == null
    ? const Deliverability()
    : Deliverability(
        sms: _text(json, 'sms') ?? 'unknown',
        voice: _text(json, 'voice') ?? 'unknown',
        flags: _texts(json, 'flags'),
      );

Suggestion? _suggestion(_Json? json) => switch (json) {
      {'number': final String number, 'reason': final String reason} =>
        Suggestion(number: number, reason: reason),
      _ => null,
    };

ShortCode? _shortCode(_Json? json) => switch (json) {
      {'cost': final String cost, 'emergency': final bool emergency} =>
        ShortCode(cost: cost, emergency: emergency),
      _ => null,
    };

/// The figures in the JSON, or null.
Quota? _quota(_Json? json) {
  final used = json?['used'];
  if (json == null || used is! int) return null;
  return Quota(
    plan: _text(json, 'plan'),
    limit: _int(json, 'limit'),
    used: used,
    remaining: _int(json, 'remaining'),
    resetsAt: _text(json, 'resets_at'),
    keyCap: _quota(_object(json['key_cap'])),
  );
}

/// Parses `RateLimit`: `"requests";r=59;t=60, "numbers";r=599;t=60`.
Map<String, RateLimit> _rateLimits(String header) => Map.unmodifiable({
      for (final part in RegExp(
        r'"(\w+)";r=(\d{1,15});t=(\d{1,9})(?!\d)',
      ).allMatches(header))
        part[1]!: RateLimit(
          remaining: int.parse(part[2]!),
          reset: Duration(seconds: int.parse(part[3]!)),
        ),
    });

const _months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec';

/// An HTTP date, or null. The web doesn't have the parser in `dart:io`.
DateTime? _date(String text) {
  final parts = RegExp(
    r'^[A-Z][a-z]{2}, (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT$',
  ).firstMatch(text);
  if (parts == null) return null;
  final month = _months.split(' ').indexOf(parts[2]!) + 1;
  final day = int.parse(parts[1]!);
  final date = DateTime.utc(
    int.parse(parts[3]!),
    month,
    day,
    int.parse(parts[4]!),
    int.parse(parts[5]!),
    int.parse(parts[6]!),
  );
  // The constructor would accept the 99th of a month as a day of a later one.
  return month > 0 && date.day == day ? date : null;
}

int? _int(_Json json, String field) =>
    json[field] is int ? json[field] as int : null;

String? _text(_Json json, String field) =>
    json[field] is String ? json[field] as String : null;

bool? _bool(_Json json, String field) =>
    json[field] is bool ? json[field] as bool : null;

List<String> _texts(_Json json, String field) {
  final list = json[field];
  if (list is! List<Object?>) return const [];
  return List.unmodifiable(list.whereType<String>());
}

Map<String, String> _fields(Object? json) => Map.unmodifiable({
      for (final MapEntry(:key, :value) in (_object(json) ?? const {}).entries)
        if (value is String) key: value,
    });
