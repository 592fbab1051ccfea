import 'dart:js_interop';

import 'conformance.dart';
import 'runner.dart';

@JS('fetch')
external JSPromise<_Response> _fetch(String url, _Options options);

extension type _Options._(JSObject _) implements JSObject {
  external factory _Options({String method, String? body});
}

extension type _Response._(JSObject _) implements JSObject {
  external JSPromise<JSString> text();
}

@JS('process.exitCode')
external set _exitCode(int code);

Future<String> _ask(String url, [String? body]) async {
  final options = body == null
      ? _Options(method: 'GET')
      : _Options(method: 'POST', body: body);
  final response = await _fetch(url, options).toDart;
  return (await response.text().toDart).toDart;
}

/// The conformance suite compiled to JavaScript, in Node.js. Its address comes
/// from the compiler: `-DCHECKLINE_CONFORMANCE_URL=…`.
Future<void> main() async {
  const url = String.fromEnvironment('CHECKLINE_CONFORMANCE_URL');
  final runner = Runner();
  await holdToSuite(runner, '$url/dart-web', _ask);
  if (!runner.finish('conformance, as JavaScript')) _exitCode = 1;
}
