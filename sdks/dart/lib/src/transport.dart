import 'dart:typed_data';

/// Sends individual requests to the service. Implement it to use your own HTTP
/// client.
///
/// It follows no redirects, so that the key reaches no other host, and does not
/// retry, since [Checkline] does.
abstract interface class Transport {
  /// Sends [request] and completes with the whole response, whatever its
  /// status.
  ///
  /// Throws any [Exception] if there is none, and stops when
  /// [TransportRequest.aborted] completes.
  Future<TransportResponse> send(TransportRequest request);

  /// Closes open connections.
  void close();
}

/// A request.
final class TransportRequest {
  /// Creates a request.
  const TransportRequest({
    required this.url,
    required this.headers,
    required this.body,
    required this.aborted,
    this.method = 'POST',
    this.received,
  });

  /// `POST`, or `GET` with an empty body.
  final String method;

  /// Its URL.
  final Uri url;

  /// Its headers, including the key.
  final Map<String, String> headers;

  /// Its body, JSON in UTF-8.
  final Uint8List body;

  /// Completes when no one waits for the response anymore.
  final Future<void> aborted;

  /// Call it, if it isn't null, whenever a part of the response arrives: that
  /// restarts the time limit of a stream's request, whose lines the service may
  /// hold back.
  final void Function()? received;
}

/// A response.
final class TransportResponse {
  /// Creates a response.
  const TransportResponse({
    required this.status,
    required this.headers,
    required this.body,
  });

  /// Its HTTP status.
  final int status;

  /// Its headers, with lowercase names.
  final Map<String, String> headers;

  /// Its body.
  final Uint8List body;
}
