import 'dart:async';
import 'dart:convert';
import 'dart:math';

import 'answers.dart';
import 'outcomes.dart';
import 'transport.dart';

const _firstPause = Duration(milliseconds: 500);
const _longestPause = Duration(seconds: 8);

/// How long the service waits until it sends an empty line of a stream.
const _keepAlive = Duration(seconds: 10);

/// The longest that timers on every platform can wait.
const longestTimeout = Duration(milliseconds: 0x7fffffff);

Duration _shorter(Duration one, Duration other) => one < other ? one : other;

/// Makes calls to the service: one request, plus retries where they may help.
final class Caller {
  /// Creates a caller. Tests replace [sleep] and [random].
  Caller({
    required this.transport,
    required this.baseUrl,
    required String apiKey,
    required this.timeout,
    this.deadline,
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

  /// How long a call may take, with its retries and waits.
  final Duration? deadline;

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
    final clock = Stopwatch()..start();
    Duration left() => (deadline ?? longestTimeout) - clock.elapsed;
    for (var retries = 0;; retries++) {
      final Answer answer;
      try {
        answer = await _attempt(
          path,
          retries + 1,
          limit: deadline == null ? timeout : _shorter(timeout, left()),
          body: body == null ? null : jsonEncode(body),
          idempotencyKey: idempotencyKey,
        );
      } on ConnectionException {
        final pause = _pauseBefore(retries);
        if (retries >= maxRetries || pause >= left()) rethrow;
        await sleep(pause);
        continue;
      }
      onResponse?.call(answer.info);
      if (answer.succeeded) return answer;
      final pause = _pauseAfter(answer, retries);
      if (pause == null || retries >= maxRetries || pause >= left()) {
        throw answer.failure();
      }
      await sleep(pause);
    }
  }

  /// Sends some lines of a stream, and yields their items. After a response that
  /// allows it, the rest is sent again.
  ///
  /// Throws a [StateError] after [close].
  Stream<StreamItem> stream(List<String> lines) async* {
    if (_closed) throw StateError('The client is closed.');
    _running++;
    try {
      yield* _stream(lines);
    } finally {
      _running--;
      if (_closed && _running == 0) transport.close();
    }
  }

  Stream<StreamItem> _stream(List<String> lines) async* {
    var rest = lines;
    for (var retries = 0; rest.isNotEmpty; retries++) {
      final answer = await _attempt(
        '/verify/stream',
        retries + 1,
        limit: _shorter(timeout + _keepAlive, longestTimeout),
        body: rest.join(),
        isStream: true,
      );
      onResponse?.call(answer.info);
      var failed = answer;
      var pause = _pauseAfter(answer, retries);
      if (answer.succeeded) {
        final (items, ending, isUsable) = answer.streamItems(rest.length);
        for (final item in items) {
          yield item;
        }
        if (!isUsable) throw answer.unusable();
        if (ending == null) return;
        rest = rest.sublist(items.length);
        failed = ending;
        pause = ending.status == 503 ? ending.retryAfter : null;
        if (pause != null && pause > maxWait) pause = null;
      }
      if (pause == null || retries >= maxRetries) throw failed.failure();
      await sleep(pause);
    }
  }

  /// The time until the next attempt after a response, or null if it is final.
  Duration? _pauseAfter(Answer answer, int retries) {
    final status = answer.status;
    if (status != 429 && status < 500) return null;
    final asked = status == 429 || status == 503 ? answer.retryAfter : null;
    if (asked == null) return _pauseBefore(retries);
    return asked > maxWait ? null : asked;
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
    int attempt, {
    required Duration limit,
    String? body,
    String? idempotencyKey,
    bool isStream = false,
  }) async {
    final abort = Completer<void>();
    final late = Completer<TransportResponse>();
    Timer? timer;
    void restart() {
      timer?.cancel();
      timer = Timer(limit, () {
        late.completeError(TimeoutException('no response', limit));
      });
    }

    final type = isStream ? 'application/x-ndjson' : 'application/json';
    final request = TransportRequest(
      method: body == null ? 'GET' : 'POST',
      url: Uri.parse('$baseUrl/api/v1$path'),
      headers: {
        'Authorization': 'Bearer $_apiKey',
        'Accept': type,
        'User-Agent': userAgent,
        if (body != null) 'Content-Type': type,
        if (idempotencyKey != null) 'Idempotency-Key': idempotencyKey,
      },
      body: utf8.encode(body ?? ''),
      aborted: abort.future,
      received: isStream ? restart : null,
    );
    final clock = Stopwatch()..start();
    final host = request.url.authority;
    try {
      restart();
      final response = await Future.any([transport.send(request), late.future]);
      return Answer(response, attempt: attempt, duration: clock.elapsed);
    } on TimeoutException catch (error) {
      throw ConnectionException(
        'No complete response from $host in time.',
        code: 'TIMEOUT',
        cause: _withoutKey(error),
      );
    } on Exception catch (error) {
      final cause = _withoutKey(error);
      final reason = quotesCauses && cause != null ? cause : error.runtimeType;
      throw ConnectionException(
        'The connection to $host failed ($reason).',
        code: 'CONNECTION_FAILED',
        cause: cause,
      );
    } finally {
      timer?.cancel();
      abort.complete();
    }
  }

  /// A cause, unless it contains the key: the caller's own transport may quote
  /// the request.
  Exception? _withoutKey(Exception cause) =>
      '$cause'.contains(_apiKey) ? null : cause;
}
