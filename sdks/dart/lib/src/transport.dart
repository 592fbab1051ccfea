import 'dart:typed_data';

/// Sends single requests to the service. Implement it to use another HTTP
/// client.
///
/// It must not follow redirects, so that the key never reaches another host,
/// and must not retry: [Checkline] does that.
abstract interface class Transport {
  /// Sends [request] and completes with the full response, whatever its status.
  ///
  /// Throws any [Exception] if there is none, and stops when
  /// [TransportRequest.aborted] completes.
  Future<TransportResponse> send(TransportRequest request);

  /// Closes idle connections.
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
  });

  /// `POST`, or `GET` with an empty body.
  final String method;

  /// The request's URL.
  final Uri url;

  /// Its headers. One of them has the key.
  final Map<String, String> headers;

  /// Its body, JSON in UTF-8.
  final Uint8List body;

  /// Completes when the caller stops waiting for the response.
  final Future<void> aborted;
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
