import 'dart:convert';

import 'package:checkline/checkline.dart';

import 'runner.dart';

/// Gets an address, or posts a body to it, and gives what was answered.
typedef Ask = Future<String> Function(String url, [String? body]);

typedef _Json = Map<String, Object?>;

/// Carries out the cases of the conformance suite, some at a time, and reports
/// what came of them. The suite judges.
Future<void> holdToSuite(Runner runner, String url, Ask ask) async {
  final begun = jsonDecode(await ask(url)) as _Json;
  final cases = (begun['cases']! as List<Object?>).cast<_Json>().iterator;

  Future<void> work() async {
    while (cases.moveNext()) {
      final test = cases.current;
      await runner.test('${test['id']}: ${test['title']}', () async {
        final report = jsonEncode(await _outcome(test));
        final verdict = jsonDecode(await ask('$url/${test['id']}', report));
        expectEqual((verdict as _Json)['problems'], const <Object?>[]);
        expectEqual(verdict['passed'], true);
      });
    }
  }

  await Future.wait([for (var i = 0; i < 16; i++) work()]);
}

Future<_Json> _outcome(_Json test) async {
  final {'timeout_ms': timeout as num?, 'max_retries': retries as num?} = {
    'timeout_ms': null,
    'max_retries': null,
    ...test['client']! as _Json,
  };
  final Checkline client;
  try {
    client = Checkline(
      apiKey: test['key']! as String,
      baseUrl: test['base_url']! as String,
      timeout: Duration(milliseconds: (timeout ?? 10000).toInt()),
      maxRetries: (retries ?? 2).toInt(),
    );
  } on ArgumentError catch (refusal) {
    return {
      'refused': true,
      'texts': _texts([refusal]),
    };
  }
  final said = <Object?>[client];
  try {
    final outcome = await _call(client, test['call']! as _Json, said);
    return {...outcome, 'texts': _texts(said)};
  } on ChecklineException catch (error, trace) {
    said.addAll([error, trace, if (error is ConnectionException) error.cause]);
    return {'error': _error(error), 'texts': _texts(said)};
  } finally {
    client.close();
  }
}

List<String> _texts(List<Object?> said) => [for (final each in said) '$each'];

Future<_Json> _call(Checkline client, _Json call, List<Object?> said) async {
  final country = call['country'] as String?;
  final expectCountry = call['expect_country'] as String?;
  final acceptTypes = (call['accept_types'] as List<Object?>?)?.cast<String>();
  final key = call['idempotency_key'] as String?;
  switch (call['method']) {
    case 'verify':
      final result = await client.verify(
        call['number']! as String,
        country: country,
        expectCountry: expectCountry,
        acceptTypes: acceptTypes,
        idempotencyKey: key,
      );
      said.add(result);
      return {
        'result': {'valid': result.valid, 'carrier': result.carrier},
      };
    case 'lookup':
      final result = await client.lookup(
        call['number']! as String,
        country: country,
        expectCountry: expectCountry,
        acceptTypes: acceptTypes,
        idempotencyKey: key,
      );
      said.addAll([result, result.deliverability]);
      return {'result': _result(result)};
    default:
      final items = await client.lookupBatch(
        (call['numbers']! as List<Object?>).cast(),
        country: country,
        expectCountry: expectCountry,
        acceptTypes: acceptTypes,
        idempotencyKey: key,
      );
      said.addAll(items);
      return {
        'results': [
          for (final item in items)
            switch (item) {
              LookupResult() => {'result': _result(item)},
              VerificationFailedException() => {'error': _error(item)},
            },
        ],
      };
  }
}

_Json _result(LookupResult result) => {
      'valid': result.valid,
      'number': result.number,
      'local_format': result.localFormat,
      'international_format': result.internationalFormat,
      'country_prefix': result.countryPrefix,
      'country_code': result.countryCode,
      'country_name': result.countryName,
      'location': result.location,
      'carrier': result.carrier,
      'line_type': result.lineType,
      'number_type': result.numberType,
      'extension': result.extension,
      'possible': result.possible,
      'reason': result.reason,
      'time_zones': result.timeZones,
      'carrier_source': result.carrierSource,
      'number_portability': result.numberPortability,
      'deliverability': switch (result.deliverability) {
        final reach? => {
            'sms': reach.sms,
            'voice': reach.voice,
            'flags': reach.flags,
          },
        null => null,
      },
      'suggestion': switch (result.suggestion) {
        final meant? => {'number': meant.number, 'reason': meant.reason},
        null => null,
      },
      'short_code': switch (result.shortCode) {
        final code? => {'cost': code.cost, 'emergency': code.emergency},
        null => null,
      },
      'accepted': result.accepted,
      'rejected_because': result.rejectedBecause,
      'reachability': result.reachability,
      'status': result.status,
    };

_Json _error(ChecklineException error) => {
      'type': switch (error) {
        AuthenticationException() => 'authentication',
        QuotaException() => 'quota',
        RateLimitException() => 'rate_limit',
        InvalidRequestException() => 'invalid_request',
        VerificationFailedException() => 'verification_failed',
        ServerException() => 'server',
        ConnectionException() => 'connection',
      },
      'code': error.code,
      'message': error.message,
      'status': error.status,
      'request_id': error.requestId,
      if (error is RateLimitException)
        'retry_after': error.retryAfter?.inSeconds,
      if (error is InvalidRequestException) 'fields': error.fields,
    };
