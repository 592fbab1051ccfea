import 'dart:async';
import 'dart:io';
import 'dart:typed_data';

import 'transport.dart';

/// A variable of the process's environment.
String? environment(String name) => Platform.environment[name];

/// The transport of this platform.
Transport createTransport(Duration connectTimeout) =>
    IoTransport(connectTimeout);

/// Sends requests with `dart:io`.
final class IoTransport implements Transport {
  /// Creates a transport that stops connecting after [connectTimeout].
  IoTransport(this.connectTimeout) {
    _client.connectionTimeout = connectTimeout;
  }

  /// The time limit for connecting.
  final Duration connectTimeout;
  final HttpClient _client = HttpClient();

  @override
  Future<TransportResponse> send(TransportRequest request) async {
    var aborted = false;
    HttpClientRequest? sending;
    unawaited(
      request.aborted.then((_) {
        aborted = true;
        sending?.abort();
      }),
    );
    final open = sending = await _connect(request.method, request.url);
    if (aborted) {
      open.abort();
      throw const HttpException('not waited for any longer');
    }
    open.followRedirects = false;
    request.headers.forEach(open.headers.set);
    if (request.method != 'GET') {
      open.contentLength = request.body.length;
      open.add(request.body);
    }
    final HttpClientResponse response;
    try {
      response = await open.close();
    } finally {
      sending = null;
    }
    final headers = <String, String>{};
    response.headers.forEach((name, values) => headers[name] = values.first);
    return TransportResponse(
      status: response.statusCode,
      headers: headers,
      body: await _body(response, request),
    );
  }

  Future<HttpClientRequest> _connect(String method, Uri url) async {
    final clock = Stopwatch()..start();
    try {
      return await _client.openUrl(method, url);
    } on SocketException {
      // The platform has no exception for this.
      if (clock.elapsed < connectTimeout) rethrow;
      throw TimeoutException('connecting took too long', connectTimeout);
    }
  }

  /// The whole body. Canceling the subscription closes the connection, so that
  /// an abandoned body stops arriving.
  Future<Uint8List> _body(Stream<List<int>> stream, TransportRequest request) {
    final bytes = BytesBuilder(copy: false);
    final done = Completer<Uint8List>();
    final subscription = stream.listen(
      (part) {
        bytes.add(part);
        request.received?.call();
      },
      onError: done.completeError,
      onDone: () => done.complete(bytes.takeBytes()),
      cancelOnError: true,
    );
    unawaited(request.aborted.then((_) => subscription.cancel()));
    return done.future;
  }

  @override
  void close() => _client.close();
}
