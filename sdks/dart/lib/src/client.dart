import 'dart:collection';
import 'dart:convert';
import 'dart:math';

import 'caller.dart';
import 'outcomes.dart';
import 'platform_web.dart' if (dart.library.io) 'platform_io.dart' as platform;
import 'transport.dart';

const _version = '1.0.0';
const _defaultBaseUrl = 'https://checkline.example';

/// The maximum count of numbers in one request.
const _maxBatch = 100;

/// A stream's request has as many lines as fit into a connection's buffers,
/// whichever side reads first.
const _maxLines = 500;
const _maxCharacters = 32768;

/// Verifies phone numbers.
///
/// ```dart
/// final checkline = Checkline();
/// final result = await checkline.lookup('+5511987654321');
/// print('${result.valid} ${result.carrier}');
/// checkline.close();
/// ```
///
/// One client per program is enough; it supports concurrent calls. If the
/// connection fails or the service returns 429 or 5xx, a call sends up to three
/// requests with the same Idempotency-Key, so it is charged once.
final class Checkline {
  /// Creates a client.
  ///
  /// Without [apiKey] and [baseUrl] they come from the environment variables
  /// `CHECKLINE_API_KEY` and `CHECKLINE_BASE_URL`, which don't exist on the
  /// web. The address may end with `/api/v1`. [connectTimeout] limits
  /// connecting (not on the web, and not with your own [transport]), [timeout]
  /// one attempt through the last byte of its response, and [deadline] a whole
  /// call with its retries and waits (of a list, each request; a stream has
  /// none): a wait that doesn't fit isn't started. A call is retried at
  /// most [maxRetries] times, after a wait of at most [maxWait] if the service
  /// asks for one with `Retry-After`; if it asks for more, the exception is
  /// thrown immediately. [onResponse] is called with each response, for
  /// logging; if it throws, so does the call.
  ///
  /// Throws an [ArgumentError] when there is no key, or an argument is invalid.
  factory Checkline({
    String? apiKey,
    String? baseUrl,
    Duration connectTimeout = const Duration(seconds: 5),
    Duration timeout = const Duration(seconds: 10),
    Duration? deadline,
    int maxRetries = 2,
    Duration maxWait = const Duration(seconds: 60),
    void Function(ResponseInfo response)? onResponse,
    Transport? transport,
  }) {
    for (final limit in [
      connectTimeout,
      timeout,
      if (deadline != null) deadline,
    ]) {
      if (limit <= Duration.zero || limit > longestTimeout) {
        throw ArgumentError(
          'A timeout must be longer than zero, and at most $longestTimeout.',
        );
      }
    }
    if (maxWait < Duration.zero || maxWait > longestTimeout) {
      throw ArgumentError(
        'maxWait must be zero or longer, and at most $longestTimeout.',
      );
    }
    if (maxRetries < 0) throw ArgumentError('maxRetries is negative.');
    return Checkline._(
      Caller(
        transport: transport ??
            platform.createTransport(
              // No need to connect for longer than the attempt.
              connectTimeout < timeout ? connectTimeout : timeout,
            ),
        baseUrl: _checkedUrl(baseUrl ?? _environment('CHECKLINE_BASE_URL')),
        apiKey: _checkedKey(apiKey ?? _environment('CHECKLINE_API_KEY')),
        timeout: timeout,
        deadline: deadline,
        maxRetries: maxRetries,
        maxWait: maxWait,
        onResponse: onResponse,
        userAgent: 'checkline-dart/$_version',
        quotesCauses: transport == null,
      ),
    );
  }

  Checkline._(this._caller);

  final Caller _caller;

  /// Verifies a number, in brief. See [lookup].
  Future<Verification> verify(
    String number, {
    String? country,
    String? expectCountry,
    List<String>? acceptTypes,
    List<String>? acceptLineTypes,
    bool rejectUnallocated = false,
    String? idempotencyKey,
  }) async {
    final result = await lookup(
      number,
      country: country,
      expectCountry: expectCountry,
      acceptTypes: acceptTypes,
      acceptLineTypes: acceptLineTypes,
      rejectUnallocated: rejectUnallocated,
      idempotencyKey: idempotencyKey,
    );
    return Verification(valid: result.valid, carrier: result.carrier);
  }

  /// Verifies a number and returns everything known about it. An invalid number
  /// is a result, not an error.
  ///
  /// [number] has + and calling code, or is in national format together with
  /// its [country], ISO 3166-1 alpha-2. [expectCountry], [acceptTypes], and
  /// [acceptLineTypes], the country, number types, and line types that you
  /// accept, such as `['mobile', 'unknown']`, and [rejectUnallocated], which
  /// rejects numbers in unassigned ranges, set [LookupResult.accepted].
  /// [idempotencyKey], 1 to 255 printable ASCII characters without spaces,
  /// identifies this call, so that a repeat is not charged again; by default
  /// every call has a new one.
  ///
  /// Throws a [ChecklineException] if there is no response, or it is an error.
  Future<LookupResult> lookup(
    String number, {
    String? country,
    String? expectCountry,
    List<String>? acceptTypes,
    List<String>? acceptLineTypes,
    bool rejectUnallocated = false,
    String? idempotencyKey,
  }) async {
    final body = {
      'number': number,
      ..._conditions(country, expectCountry, acceptTypes, acceptLineTypes,
          rejectUnallocated),
    };
    final key = _checkedIdempotencyKey(idempotencyKey);
    return (await _caller.send('/verify', body, key)).result();
  }

  /// Verifies 1 to 100 numbers in one request, and returns the outcome of each
  /// in the same order: a [LookupResult] or a [VerificationFailedException].
  ///
  /// The named arguments are the same as in [lookup].
  ///
  /// Throws a [ChecklineException] if there is no response, or it is an error
  /// as a whole.
  Future<List<BatchItem>> lookupBatch(
    List<PhoneNumber> numbers, {
    String? country,
    String? expectCountry,
    List<String>? acceptTypes,
    List<String>? acceptLineTypes,
    bool rejectUnallocated = false,
    String? idempotencyKey,
  }) async {
    final body = {
      'numbers': [
        for (final item in numbers)
          item.country == null && item.expectCountry == null
              ? item.number
              : _fields(item),
      ],
      ..._conditions(country, expectCountry, acceptTypes, acceptLineTypes,
          rejectUnallocated),
    };
    final count = numbers.length;
    final key = _checkedIdempotencyKey(idempotencyKey);
    return (await _caller.send('/verify/batch', body, key)).items(count);
  }

  /// Verifies any number of phone numbers, a hundred per request and at most
  /// [concurrency] requests at a time, and yields the items of [lookupBatch] in
  /// the order of the numbers, as they arrive.
  ///
  /// When a request fails, it ends with its exception, after the items of
  /// earlier requests. If the stream is abandoned, pending requests still
  /// finish. To an [idempotencyKey] each request adds `-1`, `-2` and so on.
  Stream<BatchItem> lookupAll(
    Iterable<PhoneNumber> numbers, {
    String? country,
    String? expectCountry,
    List<String>? acceptTypes,
    List<String>? acceptLineTypes,
    bool rejectUnallocated = false,
    int concurrency = 4,
    String? idempotencyKey,
  }) async* {
    if (concurrency < 1) throw ArgumentError('concurrency must be 1 or more.');
    _checkedIdempotencyKey(idempotencyKey);
    final rest = numbers.iterator;
    final pending = Queue<Future<List<BatchItem>>>();
    for (var request = 1;;) {
      while (pending.length < concurrency) {
        final chunk = [
          for (var i = 0; i < _maxBatch && rest.moveNext(); i++) rest.current,
        ];
        if (chunk.isEmpty) break;
        final items = lookupBatch(
          chunk,
          country: country,
          expectCountry: expectCountry,
          acceptTypes: acceptTypes,
          acceptLineTypes: acceptLineTypes,
          rejectUnallocated: rejectUnallocated,
          idempotencyKey:
              idempotencyKey == null ? null : '$idempotencyKey-$request',
        );
        // It may fail before its turn.
        items.ignore();
        pending.add(items);
        request++;
      }
      if (pending.isEmpty) return;
      for (final item in await pending.removeFirst()) {
        yield item;
      }
    }
  }

  /// Verifies any number of phone numbers, in order. Reads and sends 500 at a
  /// time as the items are consumed, and keeps no more in memory; the service
  /// waits when the account's number limit is reached.
  ///
  /// An exception about one number is its item. One that ends the stream comes
  /// after the earlier items. A connection that is cut off isn't retried, since
  /// its numbers may have been counted.
  Stream<StreamItem> lookupStream(
    Stream<PhoneNumber> numbers, {
    String? country,
    String? expectCountry,
    List<String>? acceptTypes,
    List<String>? acceptLineTypes,
    bool rejectUnallocated = false,
  }) async* {
    final shared = _conditions(country, expectCountry, acceptTypes,
        acceptLineTypes, rejectUnallocated);
    var lines = <String>[];
    var size = 0;
    await for (final item in numbers) {
      final line = '${jsonEncode({...shared, ..._fields(item)})}\n';
      lines.add(line);
      size += line.length;
      if (lines.length < _maxLines && size < _maxCharacters) continue;
      yield* _caller.stream(lines);
      lines = [];
      size = 0;
    }
    yield* _caller.stream(lines);
  }

  /// Returns what remains of the account's quota and the key's cap.
  Future<Quota> quota() async => (await _caller.send('/account/quota')).quota();

  /// Rejects further calls with a [StateError], and closes open connections
  /// once running calls have ended. A program exits sooner when its clients are
  /// closed.
  void close() => _caller.close();

  /// Shows the service's address, never the key.
  @override
  String toString() => 'Checkline(${_caller.baseUrl})';
}

/// An environment variable; an empty one counts as unset.
String? _environment(String name) {
  final value = platform.environment(name);
  return value == '' ? null : value;
}

/// The key, once it is known to be a valid header value: errors about an
/// invalid one would quote it.
String _checkedKey(String? key) {
  if (key == null || key.isEmpty) {
    throw ArgumentError('No API key. Pass apiKey or set CHECKLINE_API_KEY.');
  }
  if (RegExp(r'^[\x21-\x7e]+$').hasMatch(key)) return key;
  throw ArgumentError('The API key has characters that no key has.');
}

/// Matches an address and an optional API path. A host named "api" is not part
/// of the path.
final _apiPath = RegExp(
  r'^(https?://[^/]+.*?)(/+api/v1)?/*$',
  caseSensitive: false,
);

const _loopback = {'localhost', '127.0.0.1', '::1'};

/// The address without the API's path and trailing slashes. An invalid one is
/// not quoted, since it might contain a password.
String _checkedUrl(String? url) {
  url ??= _defaultBaseUrl;
  final uri = Uri.tryParse(url);
  // Building a package for a site replaces the default with the site's address.
  if (uri != null && uri.host.toLowerCase().endsWith('.example')) {
    throw ArgumentError(
      "There's no service at a .example address. Pass baseUrl or set "
      'CHECKLINE_BASE_URL to yours.',
    );
  }
  final isPlain = uri != null &&
      // Over http, anyone on the network path could read the key.
      (uri.isScheme('https') ||
          uri.isScheme('http') && _loopback.contains(uri.host)) &&
      uri.host.isNotEmpty &&
      uri.port <= 65535 &&
      uri.userInfo.isEmpty &&
      !uri.hasQuery &&
      !uri.hasFragment;
  if (isPlain) {
    return url.replaceFirstMapped(_apiPath, (match) => match[1]!);
  }
  throw ArgumentError(
    'The base URL must be an https URL without user, query, or fragment; http '
    'is only for localhost, 127.0.0.1, and [::1].',
  );
}

String _checkedIdempotencyKey(String? key) {
  if (key == null) {
    final random = Random.secure();
    return [
      'sdk-',
      for (var i = 0; i < 16; i++)
        random.nextInt(256).toRadixString(16).padLeft(2, '0'),
    ].join();
  }
  if (RegExp(r'^[\x21-\x7e]{1,255}$').hasMatch(key)) return key;
  throw ArgumentError(
    'An Idempotency-Key is 1 to 255 printable ASCII characters without spaces.',
  );
}

/// A number, with the options of its own.
Map<String, Object> _fields(PhoneNumber item) => {
      'number': item.number,
      if (item.country case final country?) 'country': country,
      if (item.expectCountry case final country?) 'expect_country': country,
    };

/// A request's fields besides its numbers.
Map<String, Object> _conditions(
  String? country,
  String? expectCountry,
  List<String>? acceptTypes,
  List<String>? acceptLineTypes,
  bool rejectUnallocated,
) =>
    {
      if (country != null) 'country': country,
      if (expectCountry != null) 'expect_country': expectCountry,
      if (acceptTypes != null) 'accept_types': [...acceptTypes],
      if (acceptLineTypes != null) 'accept_line_types': [...acceptLineTypes],
      if (rejectUnallocated) 'reject_unallocated': true,
    };
