/// Phone number verification with the Checkline API.
///
/// [Checkline] makes the calls; all of their failures are a
/// [ChecklineException].
library;

export 'src/client.dart' show Checkline;
export 'src/outcomes.dart';
export 'src/transport.dart' show Transport, TransportRequest, TransportResponse;
export 'src/values.dart';
