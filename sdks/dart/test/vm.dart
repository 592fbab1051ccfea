import 'dart:convert';
import 'dart:developer';
import 'dart:io';
import 'dart:isolate';

import 'conformance.dart';
import 'runner.dart';
import 'unit.dart';

final _http = HttpClient();

Future<String> _ask(String url, [String? body]) async {
  final request = await _http.openUrl(
    body == null ? 'GET' : 'POST',
    Uri.parse(url),
  );
  if (body != null) request.add(utf8.encode(body));
  final response = await request.close();
  return utf8.decodeStream(response);
}

/// How many bytes the program's objects take after a garbage collection, by the
/// VM's own service; the resident memory also counts garbage.
Future<int> _usedBytes() async {
  final service = await Service.controlWebServer(
    enable: true,
    silenceOutput: true,
  );
  final isolate = Service.getIsolateId(Isolate.current);
  final profile = jsonDecode(
    await _ask(
      '${service.serverUri}getAllocationProfile?isolateId=$isolate&gc=true',
    ),
  );
  if (profile case {'result': {'memoryUsage': {'heapUsage': final int heap}}}) {
    return heap;
  }
  throw StateError('No heapUsage in $profile');
}

Future<void> _example(
  String name, {
  String out = '',
  String err = '',
  Map<String, String> environment = const {},
}) async {
  final ran = await Process.run(
    Platform.resolvedExecutable,
    ['example/$name.dart'],
    environment: environment,
    stdoutEncoding: utf8,
    stderrEncoding: utf8,
  );
  expectEqual(
    [ran.exitCode, ran.stdout, ran.stderr],
    [err.isEmpty ? 0 : 1, out, err],
  );
}

/// Runs the examples as separate programs against the real service, with the
/// sandbox's numbers.
Future<void> _examples(Runner runner) async {
  const greeting = 'true Brazil TIM mobile\n';
  const rejection = 'INVALID_API_KEY: The API key is invalid.\n';
  const wrong = {'CHECKLINE_API_KEY': 'ch_test_wrong'};
  const batch = '+5511987654321: Brazil\n'
      '+12025550109: REJECTED_SUBSCRIBER_ABSENT\n'
      '+442079460018: United Kingdom\n';
  const stream = '+5511987654321\n'
      '+442079460018\n'
      'REJECTED_SUBSCRIBER_ABSENT\n';
  await runner.test('verify', () => _example('verify', out: greeting));
  await runner.test(
    'verify with a wrong key',
    () => _example('verify', err: rejection, environment: wrong),
  );
  await runner.test('simple', () => _example('simple', out: 'TIM true\n'));
  await runner.test('batch', () => _example('batch', out: batch));
  await runner.test('stream', () => _example('stream', out: stream));
  await runner.test('quota', () => _example('quota', out: 'trial 0 1000\n'));
  await runner.test('retry', () => _example('retry', out: 'Brazil\n'));
}

/// The unit tests and, if CHECKLINE_CONFORMANCE_URL is set, the conformance
/// suite and the examples. `dart run test/vm.dart`
Future<void> main() async {
  final units = Runner();
  await unitTests(units);
  var good = units.finish('unit tests');
  final url = Platform.environment['CHECKLINE_CONFORMANCE_URL'] ?? '';
  if (url.isEmpty) {
    print(
        'conformance, examples: SKIPPED, CHECKLINE_CONFORMANCE_URL is not set');
  } else {
    usedBytes = _usedBytes;
    final suite = Runner();
    await holdToSuite(suite, '$url/dart', _ask);
    good = suite.finish('conformance') && good;
    final examples = Runner();
    await _examples(examples);
    good = examples.finish('examples') && good;
  }
  exit(good ? 0 : 1);
}
