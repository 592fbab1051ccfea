import 'dart:convert';
import 'dart:typed_data';

import 'fields.dart';
import 'outcomes.dart';
import 'result_reader.dart';
import 'transport.dart';

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
      : _json = objectIn(_read(_response.body)),
        info = ResponseInfo(
          // A browser hides redirects behind a status of 0.
          status: _response.status == 0 ? null : _response.status,
          requestId: _response.headers['x-request-id'],
          dataVersion: _response.headers['data-version'],
          attempt: attempt,
          duration: duration,
          rateLimits: _rateLimits(_response.headers['ratelimit'] ?? ''),
        );

  final TransportResponse _response;
  final Json? _json;

  /// The response's metadata.
  final ResponseInfo info;

  /// The HTTP status.
  int get status => _response.status;

  /// Whether it has a result.
  bool get succeeded => status == 200 || _result != null;

  /// With a test key, an input that is too short is a 400 with its result.
  LookupResult? get _result => switch (status) {
        200 => readResult(_json, info),
        400 => readResult(_json?['result'], info),
        _ => null,
      };

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
  LookupResult result() => _result ?? (throw unusable());

  /// The figures in it.
  Quota quota() => _quota(_json) ?? (throw unusable());

  /// The items of a batch of [count] numbers, in their order.
  List<BatchItem> items(int count) {
    final items = _json?['results'];
    if (items is! List<Object?> || items.length != count) throw unusable();
    return List.unmodifiable(items.map(_item));
  }

  /// The items of a stream's response to [count] lines, the line that ended it
  /// early, as the response to a single call, and whether everything in between
  /// could be used.
  (List<StreamItem>, Answer?, bool) streamItems(int count) {
    final items = <StreamItem>[];
    for (final line in _lines(_response.body)) {
      final json = objectIn(_read(line));
      if (json == null) return (items, null, false);
      final result = readResult(json, info);
      final failed = _lineAnswer(json, line);
      if (result == null && boolIn(json, 'ended') == true) {
        return (items, failed, true);
      }
      final item = result ?? failed.failure();
      if (item is! StreamItem || items.length == count) {
        return (items, null, false);
      }
      items.add(item);
    }
    return (items, null, items.length == count);
  }

  /// A line's error, as the response to a single call.
  Answer _lineAnswer(Json json, Uint8List line) => Answer(
        TransportResponse(
          status: intIn(json, 'http_status') ?? status,
          headers: {
            for (final MapEntry(:key, :value) in _response.headers.entries)
              if (key != 'retry-after') key: value,
            if (intIn(json, 'retry_after') case final wait?)
              'retry-after': '$wait',
          },
          body: line,
        ),
        attempt: info.attempt,
        duration: info.duration,
      );

  BatchItem _item(Object? item) {
    final json = objectIn(item);
    final message = json?['error'];
    if (json != null && message is String) {
      final code = textIn(json, 'code') ?? _unexpected;
      return VerificationFailedException(message,
          code: code, requestId: _requestId);
    }
    return readResult(json, info) ?? (throw unusable());
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
          quota: _quota(objectIn(json['quota'])),
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

  /// Browsers hide a redirect behind status 0.
  String get _unusableMessage {
    final told = status == 0 ? '' : ' (HTTP $status)';
    final isRedirect = status == 0 || status ~/ 100 == 3;
    final why = isRedirect ? ": redirects aren't followed" : '';
    return 'Unexpected response$told$why.';
  }

  /// The exception for a response that isn't the service's.
  ServerException unusable() => ServerException(
        _unusableMessage,
        code: _unexpected,
        status: status,
        requestId: _requestId,
      );
}

/// The nonempty lines of a body.
Iterable<Uint8List> _lines(Uint8List body) sync* {
  for (var start = 0; start < body.length;) {
    final found = body.indexOf(0x0a, start);
    final end = found < 0 ? body.length : found;
    if (end > start) yield Uint8List.sublistView(body, start, end);
    start = end + 1;
  }
}

Object? _read(Uint8List body) {
  try {
    return jsonDecode(utf8.decode(body));
  } on FormatException {
    return null;
  }
}

/// The figures in the JSON, or null.
Quota? _quota(Json? json) {
  final used = json?['used'];
  if (json == null || used is! int) return null;
  return Quota(
    plan: textIn(json, 'plan'),
    limit: intIn(json, 'limit'),
    used: used,
    remaining: intIn(json, 'remaining'),
    resetsAt: textIn(json, 'resets_at'),
    keyCap: _quota(objectIn(json['key_cap'])),
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

Map<String, String> _fields(Object? json) => Map.unmodifiable({
      for (final MapEntry(:key, :value) in (objectIn(json) ?? const {}).entries)
        if (value is String) key: value,
    });
