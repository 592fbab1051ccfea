import 'dart:async';
import 'dart:convert';
import 'dart:io';
import 'dart:math';
import 'dart:typed_data';

import 'package:checkline/checkline.dart';
import 'package:checkline/src/caller.dart';
import 'package:checkline/src/platform_io.dart';

import 'runner.dart';

const _key = 'ch_test_UnitTestKeyThatMustNotLeak0123456789';
const _url = 'https://api.test';
const _number = '+5511987654321';
const _valid = '{"valid": true, "carrier": "TIM"}';
const _failed = '{"error": "Something went wrong.", "code": "INTERNAL_ERROR"}';

/// The program's own transport with made-up responses.
final class _Played implements Transport {
  _Played(this._play);

  final FutureOr<TransportResponse> Function() _play;
  final List<TransportRequest> seen = [];
  bool closed = false;

  @override
  Future<TransportResponse> send(TransportRequest request) async {
    seen.add(request);
    return _play();
  }

  @override
  void close() => closed = true;
}

TransportResponse _answer(int status, String body) => TransportResponse(
      status: status,
      headers: const {},
      body: utf8.encode(body),
    );

/// Constant randomness.
final class _Fixed implements Random {
  _Fixed(this._value);

  final double _value;

  @override
  double nextDouble() => _value;

  @override
  bool nextBool() => throw UnimplementedError();

  @override
  int nextInt(int max) => throw UnimplementedError();
}

Future<List<int>> _pauses(int maxRetries, double random) async {
  final pauses = <int>[];
  final caller = Caller(
    transport: _Played(() => _answer(500, _failed)),
    baseUrl: _url,
    apiKey: _key,
    timeout: const Duration(seconds: 1),
    maxRetries: maxRetries,
    userAgent: 'test',
    sleep: (pause) async => pauses.add(pause.inMilliseconds),
    random: _Fixed(random),
  );
  await thrown<ServerException>(() => caller.send('/', const {}, 'key'));
  return pauses;
}

Future<String> _probe(Map<String, String> environment) async {
  final ran = await Process.run(
    Platform.resolvedExecutable,
    ['test/probe.dart'],
    environment: environment,
    includeParentEnvironment: false,
    stdoutEncoding: utf8,
  );
  return '${ran.stdout}'.trim();
}

/// Tests that the conformance suite can't cover.
Future<void> unitTests(Runner runner) async {
  final test = runner.test;

  await test('pauses grow up to 8 seconds, half of them random', () async {
    expectEqual(await _pauses(6, 0), [250, 500, 1000, 2000, 4000, 4000]);
    expectEqual(await _pauses(6, 1), [500, 1000, 2000, 4000, 8000, 8000]);
    expectEqual((await _pauses(100, 1)).last, 8000);
  });

  await test('the environment supplies key and address', () async {
    // A package served by a site has the site's address; the sources' address
    // belongs to no one.
    final nobody = await _probe({'CHECKLINE_API_KEY': 'k'});
    expectTrue(nobody.contains('set CHECKLINE_BASE_URL'), nobody);
    expectEqual(
      await _probe({
        'CHECKLINE_API_KEY': 'k',
        'CHECKLINE_BASE_URL': 'http://127.0.0.1:1/x/',
      }),
      'Checkline(http://127.0.0.1:1/x)',
    );
    for (final environment in [
      {'CHECKLINE_BASE_URL': _url},
      {'CHECKLINE_BASE_URL': _url, 'CHECKLINE_API_KEY': ''},
    ]) {
      expectTrue(
        (await _probe(environment)).contains('No API key'),
        'a missing key is an error that says so',
      );
    }
  });

  await test('arguments override the environment', () {
    final client = Checkline(apiKey: 'k', baseUrl: 'https://a.test/b///');
    expectEqual('$client', 'Checkline(https://a.test/b)');
  });

  await test('the address may end with the path of the API', () {
    for (final url in [
      'https://h/x',
      'HTTP://LOCALHOST:8787',
      'http://[::1]:',
      'http://127.0.0.1',
      'https://h/a:',
      'https://api/v1',
      'https://h/my-api/v1',
    ]) {
      for (final end in ['', '/', '///', '/api/v1', '/API/v1/', '//api/v1//']) {
        final client = Checkline(apiKey: 'k', baseUrl: '$url$end');
        expectEqual('$client', 'Checkline($url)');
      }
    }
  });

  await test('a key that is an invalid header value is rejected, unquoted',
      () async {
    for (final key in ['', 'secret\n', 'secret key', 'secreté']) {
      final error = await thrown<ArgumentError>(
          () => Checkline(baseUrl: _url, apiKey: key));
      expectTrue(!'$error'.contains('secret'), '$error');
    }
  });

  await test('an invalid base URL is rejected, unquoted', () async {
    for (final url in [
      '',
      'checkline.test',
      'ftp://secret.test',
      'https://',
      'https:///secret',
      'https://secret@checkline.test',
      'https://checkline.test?secret',
      'https://checkline.test#secret',
      'http://[secret',
      'https://user:secret@checkline.test/',
      'https://checkline.test:65536',
      'https://api.EXAMPLE:8443/api/v1',
      'http://secret.test',
      'http://localhost.test',
      'http://127.0.0.1.test',
      'http://127.0.0.2',
    ]) {
      final error = await thrown<ArgumentError>(
        () => Checkline(apiKey: 'k', baseUrl: url),
      );
      expectTrue(!'$error'.contains('secret'), '$error');
    }
  });

  await test('nonsensical limits are rejected', () async {
    Checkline zero() =>
        Checkline(baseUrl: _url, apiKey: 'k', timeout: Duration.zero);
    Checkline negative() =>
        Checkline(baseUrl: _url, apiKey: 'k', maxRetries: -1);
    Checkline impatient() => Checkline(
        baseUrl: _url, apiKey: 'k', maxWait: const Duration(seconds: -1));
    await thrown<ArgumentError>(impatient);
    await thrown<ArgumentError>(zero);
    await thrown<ArgumentError>(negative);
    const longest = Duration(milliseconds: 0x7fffffff);
    Checkline(
        baseUrl: _url, apiKey: 'k', timeout: longest, connectTimeout: longest);
    final over = longest + const Duration(microseconds: 1);
    await thrown<ArgumentError>(
        () => Checkline(baseUrl: _url, apiKey: 'k', timeout: over));
    await thrown<ArgumentError>(
      () => Checkline(baseUrl: _url, apiKey: 'k', connectTimeout: over),
    );
  });

  await test("the program's own transport is used, and closed", () async {
    final transport = _Played(() => _answer(200, _valid));
    final client = Checkline(baseUrl: _url, apiKey: _key, transport: transport);
    final result = await client.lookup('11 98765-4321', country: 'BR');
    client.close();
    expectEqual(result.carrier, 'TIM');
    expectEqual(
      utf8.decode(transport.seen.single.body),
      '{"number":"11 98765-4321","country":"BR"}',
    );
    expectEqual(transport.seen.single.headers['Authorization'], 'Bearer $_key');
    expectTrue(transport.closed, 'closed');
  });

  await test('two hundred calls at once, each with its own key', () async {
    final server = await _serve((request) async {
      final number = await utf8.decodeStream(request);
      request.response.write('{"valid": true, "number": $number}');
    });
    final keys = <String?>{};
    server.seen =
        (request) => keys.add(request.headers.value('idempotency-key'));
    final client = Checkline(apiKey: _key, baseUrl: server.url);
    await Future.wait([
      for (var i = 0; i < 200; i++)
        client.verify('$i').then((result) => expectTrue(result.valid, '$i')),
    ]);
    client.close();
    await server.close();
    expectEqual(keys.length, 200);
  });

  await test("the caller's own Idempotency-Key, if it is one", () async {
    final transport = _Played(() => _answer(200, _valid));
    final client = Checkline(baseUrl: _url, apiKey: _key, transport: transport);
    await client.verify(_number, idempotencyKey: 'order-4711');
    expectEqual(transport.seen.single.headers['Idempotency-Key'], 'order-4711');
    for (final key in ['', ' ', 'a b', 'a\n', 'a\nb', 'é', 'x' * 256]) {
      await thrown<ArgumentError>(
        () => client.verify(_number, idempotencyKey: key),
      );
    }
    expectEqual(transport.seen.length, 1);
  });

  await test('nothing shows the key', () async {
    for (final status in [200, 0, 302, 400, 401, 402, 429, 500]) {
      final client = Checkline(
        baseUrl: _url,
        apiKey: _key,
        maxRetries: 0,
        transport: _Played(() => _answer(status, _failed)),
      );
      final error = await thrown<ChecklineException>(
        () => client.verify(_number),
      );
      expectEqual(error.status, status == 0 ? null : status);
      expectTrue(!'$client $error'.contains(_key), '$client $error');
    }
  });

  await test('an error says why there is no connection', () async {
    final unused = await ServerSocket.bind(InternetAddress.loopbackIPv4, 0);
    final closedPort = 'http://127.0.0.1:${unused.port}';
    await unused.close();
    const lookup = SocketException('Failed host lookup of $_number');
    for (final (transport, why) in [
      (null, 'Connection refused'),
      // Texts of the program's own transport may contain the request.
      (
        _Played(() => throw lookup),
        'The connection to 127.0.0.1:${unused.port} failed (SocketException).'
      ),
    ]) {
      final client = Checkline(
        apiKey: 'k9',
        baseUrl: closedPort,
        maxRetries: 0,
        transport: transport,
      );
      final error = await thrown<ConnectionException>(
        () => client.verify(_number),
      );
      expectEqual(error.code, 'CONNECTION_FAILED');
      expectTrue(error.message.contains(why), error.message);
      expectTrue(!error.message.contains(_number), error.message);
      client.close();
    }
  });

  await test('a cause that quotes the key is left out', () async {
    Future<Object?> cause(String text) async {
      final client = Checkline(
        baseUrl: _url,
        apiKey: _key,
        maxRetries: 0,
        transport: _Played(() => throw HttpException(text)),
      );
      final error = await thrown<ConnectionException>(
        () => client.verify(_number),
      );
      expectEqual(error.code, 'CONNECTION_FAILED');
      expectTrue(!'$error'.contains(_key), '$error');
      return error.cause;
    }

    expectEqual(await cause('header Bearer $_key'), null);
    expectTrue(await cause('no route') is HttpException, 'a plain cause');
  });

  for (final (moment, begun) in [
    ('before its response', ''),
    ('in its headers', 'HTTP/1.1 200 OK\r\nContent-Le'),
    (
      'in its body',
      'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"valid"',
    ),
  ]) {
    await test('an attempt abandoned $moment closes its connection', () async {
      var open = 0;
      final closed = Completer<void>();
      final server = await ServerSocket.bind(InternetAddress.loopbackIPv4, 0);
      server.listen((socket) {
        open++;
        // The client may be gone before this is written.
        socket.done.ignore();
        socket.write(begun);
        socket.listen(
          (_) {},
          onDone: () {
            if (--open == 0) closed.complete();
          },
          onError: (Object _) {},
        );
      });
      final client = Checkline(
        apiKey: _key,
        baseUrl: 'http://127.0.0.1:${server.port}',
        timeout: const Duration(milliseconds: 300),
        maxRetries: 0,
      );
      final errors = await Future.wait([
        for (var i = 0; i < 5; i++)
          thrown<ConnectionException>(() => client.verify(_number)),
      ]);
      expectEqual({for (final error in errors) error.code}.toList(), [
        'TIMEOUT',
      ]);
      await closed.future.timeout(const Duration(seconds: 5));
      await server.close();
    });
  }

  await test('a closed client rejects further calls', () async {
    final clients = [
      Checkline(baseUrl: _url, apiKey: _key),
      Checkline(
        baseUrl: _url,
        apiKey: _key,
        transport: _Played(() => _answer(200, _valid)),
      ),
    ];
    for (final client in clients) {
      client
        ..close()
        ..close();
      await thrown<StateError>(() => client.verify(_number));
    }
  });

  await test('running calls end before their transport is closed', () async {
    final answers = [_answer(500, _failed), _answer(200, _valid)].iterator;
    late final _Played transport;
    transport = _Played(() {
      expectTrue(!transport.closed, 'still open');
      answers.moveNext();
      return answers.current;
    });
    final client = Checkline(baseUrl: _url, apiKey: _key, transport: transport);
    final call = client.verify(_number);
    client.close();
    expectEqual((await call).carrier, 'TIM');
    expectTrue(transport.closed, 'closed');
  });

  await test('a list is sent as its items are consumed', () async {
    var read = 0;
    Iterable<PhoneNumber> endless() sync* {
      while (true) {
        yield PhoneNumber('${++read}');
      }
    }

    final many =
        _answer(200, '{"results": [${List.filled(100, _valid).join(',')}]}');
    final transport = _Played(() => many);
    final client = Checkline(baseUrl: _url, apiKey: _key, transport: transport);
    final items = await client
        .lookupAll(endless(), concurrency: 2, idempotencyKey: 'job')
        .take(150)
        .toList();
    expectEqual([items.length, read], [150, 300]);
    expectEqual(
      [
        for (final request in transport.seen) request.headers['Idempotency-Key']
      ],
      ['job-1', 'job-2', 'job-3'],
    );
    await thrown<ArgumentError>(
      () => client.lookupAll(const [PhoneNumber('1')], concurrency: 0).toList(),
    );
    await thrown<ArgumentError>(
      () => client
          .lookupAll(const [PhoneNumber('1')], idempotencyKey: 'a b').toList(),
    );
    expectEqual(await client.lookupAll([]).length, 0);
    expectEqual(transport.seen.length, 3);
  });

  await test('a stream is read as its items are consumed', () async {
    var read = 0;
    Stream<PhoneNumber> endless() async* {
      while (true) {
        yield PhoneNumber('${++read}', country: read == 1 ? 'GB' : null);
      }
    }

    final many = _answer(200, '$_valid\n\n' * 500);
    final transport = _Played(() => many);
    final client = Checkline(baseUrl: _url, apiKey: _key, transport: transport);
    final items =
        await client.lookupStream(endless(), country: 'BR').take(501).toList();
    expectEqual([items.length, transport.seen.length], [501, 2]);
    expectTrue(read <= 1001, '$read numbers were read');
    final request = transport.seen.first;
    expectEqual(utf8.decode(request.body).split('\n').take(2).toList(), [
      '{"country":"GB","number":"1"}',
      '{"country":"BR","number":"2"}',
    ]);
    expectEqual(request.headers['Idempotency-Key'], null);
    expectTrue(request.received != null, 'its time limit restarts');
  });

  await test('unusable lines are an exception after the results', () async {
    for (final line in ['', '7', 'null', '{}', 'no json', '{"valid": tr']) {
      final items = <StreamItem>[];
      final client = Checkline(
        baseUrl: _url,
        apiKey: _key,
        transport: _Played(() => _answer(200, '$_valid\n$line\n')),
      );
      final error = await thrown<ServerException>(
        () => client
            .lookupStream(
                Stream.fromIterable(const [PhoneNumber('1'), PhoneNumber('2')]))
            .forEach(items.add),
      );
      expectEqual([error.code, items.length], ['UNEXPECTED_RESPONSE', 1]);
    }
  });

  await test('a long number makes a stream send smaller parts', () async {
    final transport = _Played(() => _answer(200, '$_valid\n' * 130));
    final client = Checkline(baseUrl: _url, apiKey: _key, transport: transport);
    final long = PhoneNumber('1' * 240);
    final numbers = Stream.fromIterable(List.filled(260, long));
    expectEqual(await client.lookupStream(numbers).length, 260);
    expectEqual(transport.seen.length, 2);
  });

  await test("each part of a stream's response restarts its limit", () async {
    final server = await HttpServer.bind(InternetAddress.loopbackIPv4, 0);
    server.listen((request) async {
      await request.drain<void>();
      request.response.bufferOutput = false;
      for (var part = 0; part < 6; part++) {
        request.response.write('\n');
        await request.response.flush();
        await Future<void>.delayed(const Duration(milliseconds: 100));
      }
      // The second request's response stops coming.
      if (request.headers.value('x-stalls') != null) return;
      request.response.write(_valid);
      await request.response.close();
    });
    final transport = IoTransport(const Duration(seconds: 1));
    Future<int> bytes({required bool stalls, required int limit}) async {
      final aborted = Completer<void>();
      Timer? timer;
      void restart() {
        timer?.cancel();
        timer = Timer(Duration(milliseconds: limit), aborted.complete);
      }

      restart();
      final request = TransportRequest(
        url: Uri.parse('http://127.0.0.1:${server.port}'),
        headers: {if (stalls) 'x-stalls': '1'},
        body: Uint8List(0),
        aborted: aborted.future,
        received: restart,
      );
      final response = await Future.any([
        transport.send(request).then((response) => response.body.length),
        aborted.future.then((_) => -1),
      ]);
      timer?.cancel();
      return response;
    }

    expectEqual(await bytes(stalls: false, limit: 400), 6 + _valid.length);
    expectEqual(await bytes(stalls: true, limit: 400), -1);
    transport.close();
    await server.close(force: true);
  });

  await test('what the hook throws, the call throws', () async {
    final client = Checkline(
      baseUrl: _url,
      apiKey: _key,
      transport: _Played(() => _answer(200, _valid)),
      onResponse: (_) => throw StateError('mine'),
    );
    await thrown<StateError>(() => client.lookup(_number));
  });

  await test('a rejection has the figures of the quota', () async {
    const body = '{"error": "x", "code": "QUOTA_TOO_SMALL", '
        '"quota": {"limit": 9, "used": 8, "remaining": 1}}';
    final client = Checkline(
      baseUrl: _url,
      apiKey: _key,
      transport: _Played(() => _answer(402, body)),
    );
    final rejected = await thrown<QuotaException>(() => client.lookup(_number));
    expectEqual(rejected.quota?.remaining, 1);
  });

  await test('only a 200 is a success', () async {
    const both = '{"valid": true, "error": "Something went wrong.", '
        '"code": "INTERNAL_ERROR"}';
    for (final status in [0, 201, 202, 206, 302]) {
      final transport = _Played(() => _answer(status, both));
      final client =
          Checkline(baseUrl: _url, apiKey: _key, transport: transport);
      final error = await thrown<ServerException>(
        () => client.verify(_number),
      );
      expectEqual(error.code, 'UNEXPECTED_RESPONSE');
      expectEqual(transport.seen.length, 1);
    }
  });

  await test('only seconds and dates of Retry-After are parsed', () async {
    for (final (header, seconds) in [
      ('999999999', 999999999),
      ('1000000000', null),
      ('1.5', null),
      ('+1', null),
      ('Fri, 20 Nov 2015 00:00:00 GMT', 0),
      ('Fri, 99 Nov 2015 00:00:00 GMT', null),
      ('Fri, 20 Abc 2015 00:00:00 GMT', null),
      ('Fri, 20 Nov 2015', null),
      ('', null),
    ]) {
      final client = Checkline(
        baseUrl: _url,
        apiKey: _key,
        maxRetries: 0,
        transport: _Played(
          () => TransportResponse(
            status: 429,
            headers: {'retry-after': header},
            body: utf8.encode(_failed),
          ),
        ),
      );
      final error = await thrown<RateLimitException>(
        () => client.verify(_number),
      );
      expectEqual(error.retryAfter?.inSeconds, seconds);
    }
  });

  await test('odd JSON', () async {
    Future<LookupResult> lookup(String body) => Checkline(
          baseUrl: _url,
          apiKey: _key,
          transport: _Played(() => _answer(200, body)),
        ).lookup('+1\ud83d');
    final deep = '${'[' * 200}${']' * 200}';
    final result = await lookup(
      '{"valid": true, "carrier": 1, "new": $deep, "time_zones": ["a", 1]}',
    );
    expectEqual([
      result.carrier,
      result.timeZones
    ], [
      null,
      ['a'],
    ]);
    for (final literal in ['NaN', 'Infinity', '-Infinity']) {
      final error = await thrown<ServerException>(
        () => lookup('{"valid": true, "new": $literal}'),
      );
      expectEqual(error.code, 'UNEXPECTED_RESPONSE');
    }
  });

  await test('connecting has its own limit', () async {
    // No one accepts: once its queue is full, connections to it hang.
    final full = await ServerSocket.bind(
      InternetAddress.loopbackIPv4,
      0,
      backlog: 1,
    );
    final waiting = <Socket>[];
    try {
      while (true) {
        const limit = Duration(milliseconds: 200);
        waiting.add(
          await Socket.connect(full.address, full.port, timeout: limit),
        );
      }
    } on SocketException {
      // Full.
    }
    final client = Checkline(
      apiKey: _key,
      baseUrl: 'http://127.0.0.1:${full.port}',
      connectTimeout: const Duration(milliseconds: 300),
      maxRetries: 0,
    );
    final clock = Stopwatch()..start();
    final error = await thrown<ConnectionException>(
      () => client.verify(_number),
    );
    expectEqual(error.code, 'TIMEOUT');
    expectTrue(clock.elapsed < const Duration(seconds: 5), 'in time');
    for (final socket in waiting) {
      socket.destroy();
    }
    await full.close();
  });
}

/// A service on this machine.
final class _Service {
  _Service(this._server);

  final HttpServer _server;
  void Function(HttpRequest request) seen = (_) {};

  String get url => 'http://127.0.0.1:${_server.port}';

  Future<void> close() => _server.close(force: true);
}

Future<_Service> _serve(Future<void> Function(HttpRequest) answer) async {
  final server = await HttpServer.bind(InternetAddress.loopbackIPv4, 0);
  final service = _Service(server);
  server.listen((request) async {
    service.seen(request);
    await answer(request);
    await request.response.close();
  });
  return service;
}
