import 'dart:convert';

import 'package:checkline/checkline.dart';

import 'runner.dart';

/// Gets an address, or posts a body to it, and returns the response.
typedef Ask = Future<String> Function(String url, [String? body]);

typedef _Json = Map<String, Object?>;

/// Runs the cases of the conformance suite, several at a time, and reports the
/// outcomes. The suite judges them.
Future<void> holdToSuite(Runner runner, String url, Ask ask) async {
  final begun = jsonDecode(await ask(url)) as _Json;
  final all = (begun['cases']! as List<Object?>).cast<_Json>();
  bool isTallied(_Json test) => (test['call']! as _Json)['tally'] == true;
  final cases = all.where((test) => !isTallied(test)).iterator;

  Future<void> hold(_Json test) async {
    await runner.test('${test['id']}: ${test['title']}', () async {
      final report = jsonEncode(await _outcome(test));
      final verdict = jsonDecode(await ask('$url/${test['id']}', report));
      expectEqual((verdict as _Json)['problems'], const <Object?>[]);
      expectEqual(verdict['passed'], true);
    });
  }

  Future<void> work() async {
    while (cases.moveNext()) {
      await hold(cases.current);
    }
  }

  // Alone: the others' memory would count too.
  await Future.forEach(all.where(isTallied), hold);

  await Future.wait([for (var i = 0; i < 16; i++) work()]);
}

Future<_Json> _outcome(_Json test) async {
  final {
    'timeout_ms': timeout as num?,
    'deadline_ms': deadline as num?,
    'max_retries': retries as num?,
    'max_wait_ms': wait as num?,
  } = {
    'timeout_ms': null,
    'deadline_ms': null,
    'max_retries': null,
    'max_wait_ms': null,
    ...test['client']! as _Json,
  };
  final responses = <ResponseInfo>[];
  final Checkline client;
  try {
    client = Checkline(
      apiKey: test['key']! as String,
      baseUrl: test['base_url']! as String,
      timeout: Duration(milliseconds: (timeout ?? 10000).toInt()),
      deadline:
          deadline == null ? null : Duration(milliseconds: deadline.toInt()),
      maxRetries: (retries ?? 2).toInt(),
      maxWait: Duration(milliseconds: (wait ?? 60000).toInt()),
      onResponse: responses.add,
    );
  } on ArgumentError catch (rejection) {
    return {
      'rejected': true,
      'texts': _texts([rejection]),
    };
  }
  final said = <Object?>[client];
  try {
    final outcome = await _call(client, test['call']! as _Json, said);
    said.addAll(responses);
    return {
      ...outcome,
      'responses': responses.map(_response).toList(),
      'texts': _texts(said),
    };
  } on ChecklineException catch (error, trace) {
    said.addAll([error, trace, if (error is ConnectionException) error.cause]);
    said.addAll(responses);
    return {
      'error': _error(error),
      'responses': responses.map(_response).toList(),
      'texts': _texts(said),
    };
  } finally {
    client.close();
  }
}

List<String> _texts(List<Object?> said) => [for (final each in said) '$each'];

Future<_Json> _call(Checkline client, _Json call, List<Object?> said) async {
  final country = call['country'] as String?;
  final expectCountry = call['expect_country'] as String?;
  final acceptTypes = (call['accept_types'] as List<Object?>?)?.cast<String>();
  final acceptLineTypes =
      (call['accept_line_types'] as List<Object?>?)?.cast<String>();
  final rejects = call['reject_unallocated'] == true;
  final key = call['idempotency_key'] as String?;
  switch (call['method']) {
    case 'verify':
      final result = await client.verify(
        call['number']! as String,
        country: country,
        expectCountry: expectCountry,
        acceptTypes: acceptTypes,
        acceptLineTypes: acceptLineTypes,
        rejectUnallocated: rejects,
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
        acceptLineTypes: acceptLineTypes,
        rejectUnallocated: rejects,
        idempotencyKey: key,
      );
      said.addAll([result, result.deliverability]);
      return {
        'result': result.toJson(),
        'response': _response(result.response),
      };
    case 'quota':
      final quota = await client.quota();
      said.add(quota);
      return {'result': _quota(quota)};
    case 'lookup_all':
      return _collected(
        client.lookupAll(
          _numbers(call),
          country: country,
          expectCountry: expectCountry,
          acceptTypes: acceptTypes,
          acceptLineTypes: acceptLineTypes,
          rejectUnallocated: rejects,
          concurrency: (call['concurrency'] as num? ?? 4).toInt(),
          idempotencyKey: key,
        ),
        said,
      );
    case 'lookup_stream':
      final numbers = _numbers(call);
      final items = client.lookupStream(
        Stream.fromIterable(numbers),
        country: country,
        expectCountry: expectCountry,
        acceptTypes: acceptTypes,
        acceptLineTypes: acceptLineTypes,
        rejectUnallocated: rejects,
      );
      if (call['tally'] == true) return _tally(items, numbers);
      final most = call['take'] as num?;
      return _collected(most == null ? items : items.take(most.toInt()), said);
    default:
      final items = await client.lookupBatch(
        _numbers(call),
        country: country,
        expectCountry: expectCountry,
        acceptTypes: acceptTypes,
        acceptLineTypes: acceptLineTypes,
        rejectUnallocated: rejects,
        idempotencyKey: key,
      );
      said.addAll(items);
      return {'results': _items(items)};
  }
}

List<PhoneNumber> _numbers(_Json call) => [
      for (final item in call['numbers']! as List<Object?>)
        switch (item) {
          {'number': final String number} => PhoneNumber(
              number,
              country: item['country'] as String?,
              expectCountry: item['expect_country'] as String?,
            ),
          _ => PhoneNumber(item! as String),
        },
    ];

/// The items of a list or stream, and what ended it before its end.
Future<_Json> _collected(Stream<StreamItem> all, List<Object?> said) async {
  final items = <StreamItem>[];
  _Json? endedBy;
  try {
    await all.forEach(items.add);
  } on ChecklineException catch (error) {
    said.add(error);
    endedBy = _error(error);
  }
  said.addAll(items);
  return {'results': _items(items), if (endedBy != null) 'ended_by': endedBy};
}

/// How many bytes the program's objects take; only the VM can tell.
Future<int> Function() usedBytes = () async => 0;

/// Counts a stream's results in order, and how many bytes more are in use at the
/// end than after a tenth of them.
Future<_Json> _tally(Stream<StreamItem> all, List<PhoneNumber> numbers) async {
  var counted = 0;
  var before = 0;
  await for (final item in all) {
    final number = item is LookupResult ? item.number : null;
    if (number == numbers[counted].number) counted++;
    if (counted == numbers.length ~/ 10) before = await usedBytes();
  }
  return {
    'tally': {'counted': counted, 'grown_bytes': await usedBytes() - before},
  };
}

List<_Json> _items(List<StreamItem> items) => [
      for (final item in items)
        switch (item) {
          LookupResult() => {'result': item.toJson()},
          VerificationFailedException() => {'error': _error(item)},
          InvalidRequestException() => {'error': _error(item)},
        },
    ];

_Json _response(ResponseInfo response) {
  expectTrue(!response.duration.isNegative, 'a duration');
  return {
    'status': response.status,
    'request_id': response.requestId,
    'data_version': response.dataVersion,
    'attempt': response.attempt,
    'rate_limits': {
      for (final MapEntry(:key, :value) in response.rateLimits.entries)
        key: {
          'remaining': value.remaining,
          'reset_seconds': value.reset.inSeconds,
        },
    },
  };
}

_Json _quota(Quota quota) => {
      'plan': quota.plan,
      'limit': quota.limit,
      'used': quota.used,
      'remaining': quota.remaining,
      'resets_at': quota.resetsAt,
      'key_cap': switch (quota.keyCap) {
        final cap? => _quota(cap),
        null => null,
      },
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
      if (error is QuotaException)
        'quota': switch (error.quota) {
          final quota? => _quota(quota),
          null => null,
        },
      if (error is InvalidRequestException) 'fields': error.fields,
    };
