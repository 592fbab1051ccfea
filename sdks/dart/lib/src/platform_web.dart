import 'dart:async';
import 'dart:js_interop';
import 'dart:typed_data';

import 'transport.dart';

/// A page has no environment.
String? environment(String name) => null;

/// The transport of this platform. A page can't limit the time to connect; the
/// limit of the whole attempt covers it.
Transport createTransport(Duration connectTimeout) => const FetchTransport();

@JS('fetch')
external JSPromise<_Response> _fetch(String url, _Options options);

@JS('AbortController')
extension type _AbortController._(JSObject _) implements JSObject {
  external factory _AbortController();
  external JSObject get signal;
  external void abort();
}

extension type _Options._(JSObject _) implements JSObject {
  external factory _Options({
    String method,
    JSAny? headers,
    String redirect,
    String credentials,
    JSObject signal,
  });
  external set body(JSUint8Array body);
}

extension type _Headers._(JSObject _) implements JSObject {
  external String? get(String name);
}

extension type _Response._(JSObject _) implements JSObject {
  external int get status;
  external _Headers get headers;
  external _Body? get body;
}

extension type _Body._(JSObject _) implements JSObject {
  external _Reader getReader();
}

extension type _Reader._(JSObject _) implements JSObject {
  external JSPromise<_Part> read();
}

extension type _Part._(JSObject _) implements JSObject {
  external bool get done;
  external JSUint8Array? get value;
}

/// Sends requests with `fetch`.
final class FetchTransport implements Transport {
  /// Creates a transport.
  const FetchTransport();

  @override
  Future<TransportResponse> send(TransportRequest request) async {
    final controller = _AbortController();
    unawaited(request.aborted.then((_) => controller.abort()));
    final options = _Options(
      method: request.method,
      headers: request.headers.jsify(),
      redirect: 'manual',
      credentials: 'omit',
      signal: controller.signal,
    );
    // fetch allows no body with a GET, not even an empty one.
    if (request.method != 'GET') options.body = request.body.toJS;
    try {
      final response = await _fetch('${request.url}', options).toDart;
      final body = BytesBuilder(copy: false);
      final reader = response.body?.getReader();
      while (reader != null) {
        final part = await reader.read().toDart;
        if (part.done) break;
        body.add(part.value!.toDart);
        request.received?.call();
      }
      return TransportResponse(
        status: response.status,
        headers: _headers(response.headers),
        body: body.takeBytes(),
      );
    } catch (error) {
      throw _FetchException('$error');
    }
  }

  /// The response headers we use.
  static Map<String, String> _headers(_Headers headers) => {
        for (final name in [
          'x-request-id',
          'data-version',
          'retry-after',
          'ratelimit',
        ])
          if (headers.get(name) case final value?) name: value,
      };

  @override
  void close() {}
}

/// What JavaScript throws is not an [Exception].
final class _FetchException implements Exception {
  const _FetchException(this.message);

  final String message;

  @override
  String toString() => message;
}
