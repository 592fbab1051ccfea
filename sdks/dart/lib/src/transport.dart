import 'dart:typed_data';

/// Carries single requests to the service. Implement it to use an HTTP client
/// of your own.
///
/// It follows no redirects, so that the key reaches no other host, and does not
/// try again: that is [Checkline]'s part.
abstract interface class Transport {
  /// Sends [request] and completes with the whole response, whatever its status.
  ///
  /// It throws any [Exception] when there is none, and gives up when
  /// [TransportRequest.aborted] completes.
  Future<TransportResponse> send(TransportRequest request);

  /// Closes the connections that are kept open.
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

  /// Where it goes.
  final Uri url;

  /// Its headers. One of them has the key.
  final Map<String, String> headers;

  /// Its body, JSON in UTF-8.
  final Uint8List body;

  /// Completes when the response is no longer waited for.
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

  /// Its headers, with names in lower case.
  final Map<String, String> headers;

  /// Its body.
  final Uint8List body;
}
