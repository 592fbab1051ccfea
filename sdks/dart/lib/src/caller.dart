import 'dart:async';
import 'dart:convert';
import 'dart:math';

import 'answers.dart';
import 'outcomes.dart';
import 'transport.dart';

const _firstPause = Duration(milliseconds: 500);
const _longestPause = Duration(seconds: 8);

/// Makes calls to the service: one request, plus retries where they may help.
final class Caller {
  /// Creates a caller. Tests replace [sleep] and [random].
  Caller({
    required this.transport,
    required this.baseUrl,
    required String apiKey,
    required this.timeout,
    required this.maxRetries,
    required this.userAgent,
    this.maxWait = const Duration(seconds: 60),
    this.onResponse,
    this.quotesCauses = false,
    this.sleep = Future<void>.delayed,
    Random? random,
  })  : _apiKey = apiKey,
        _random = random ?? Random();

  /// Sends individual requests.
  final Transport transport;

  /// The service's address, without a trailing slash.
  final String baseUrl;

  /// How long one attempt may take, through the last byte of its body.
  final Duration timeout;

  /// How often to retry a call.
  final int maxRetries;

  /// Longer waits are up to the caller.
  final Duration maxWait;

  /// Receives each response.
  final void Function(ResponseInfo response)? onResponse;

  /// The header User-Agent.
  final String userAgent;

  /// Whether messages quote the transport. Texts of the caller's own transport
  /// may contain the request, so only their types are shown.
  final bool quotesCauses;

  /// Waits between attempts.
  final Future<void> Function(Duration pause) sleep;

  final String _apiKey;
  final Random _random;
  var _running = 0;
  var _closed = false;

  /// Closes the transport once running calls, including retries, have ended.
  void close() {
    if (_closed) return;
    _closed = true;
    if (_running == 0) transport.close();
  }

  /// Sends [body], or a GET without one, and completes with the successful
  /// response.
  ///
  /// Throws a [StateError] after [close].
  Future<Answer> send(
    String path, [
    Map<String, Object?>? body,
    String? idempotencyKey,
  ]) async {
    if (_closed) throw StateError('The client is closed.');
    _running++;
    try {
      return await _send(path, body, idempotencyKey);
    } finally {
      _running--;
      if (_closed && _running == 0) transport.close();
    }
  }

  Future<Answer> _send(
    String path,
    Map<String, Object?>? body,
    String? idempotencyKey,
  ) async {
    for (var retries = 0;; retries++) {
      var pause = _pauseBefore(retries);
      final ChecklineException failure;
      try {
        final answer = await _attempt(path, body, idempotencyKey, retries + 1);
        onResponse?.call(answer.info);
        if (answer.succeeded) return answer;
        failure = answer.failure();
        final status = answer.status;
        if (status != 429 && status < 500) throw failure;
        final asked = status == 429 || status == 503 ? answer.retryAfter : null;
        if (asked != null && asked > maxWait) throw failure;
        pause = asked ?? pause;
      } on ConnectionException {
        if (retries >= maxRetries) rethrow;
        await sleep(pause);
        continue;
      }
      if (retries >= maxRetries) throw failure;
      await sleep(pause);
    }
  }

  /// Half of the pause is random, so that clients that failed together don't
  /// retry together.
  Duration _pauseBefore(int retries) {
    final doubled = _firstPause * pow(2, min(retries, 10)).toInt();
    final longest = doubled < _longestPause ? doubled : _longestPause;
    return longest * (0.5 + _random.nextDouble() / 2);
  }

  Future<Answer> _attempt(
    String path,
    Map<String, Object?>? body,
    String? idempotencyKey,
    int attempt,
  ) async {
    final abort = Completer<void>();
    final request = TransportRequest(
      method: body == null ? 'GET' : 'POST',
      url: Uri.parse('$baseUrl/api/v1$path'),
      headers: {
        'Authorization': 'Bearer $_apiKey',
        'Accept': 'application/json',
        'User-Agent': userAgent,
        if (body != null) 'Content-Type': 'application/json',
        if (idempotencyKey != null) 'Idempotency-Key': idempotencyKey,
      },
      body: utf8.encode(body == null ? '' : jsonEncode(body)),
      aborted: abort.future,
    );
    final clock = Stopwatch()..start();
    final host = request.url.host;
    try {
      final response = await transport.send(request).timeout(timeout);
      return Answer(response, attempt: attempt, duration: clock.elapsed);
    } on TimeoutException catch (error) {
      throw ConnectionException(
        'There was no whole response from $host in time.',
        code: 'TIMEOUT',
        cause: _withoutKey(error),
      );
    } on Exception catch (error) {
      final cause = _withoutKey(error);
      final reason = quotesCauses && cause != null ? cause : error.runtimeType;
      throw ConnectionException(
        'The connection to $host failed: $reason.',
        code: 'CONNECTION_FAILED',
        cause: cause,
      );
    } finally {
      abort.complete();
    }
  }

  /// A cause, unless it contains the key: the caller's own transport may quote
  /// the request.
  Exception? _withoutKey(Exception cause) =>
      '$cause'.contains(_apiKey) ? null : cause;
}
