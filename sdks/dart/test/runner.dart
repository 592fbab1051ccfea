import 'dart:async';
import 'dart:convert';

/// Counts tests and prints failures. Replaces `package:test`, which is a
/// dependency, and offline there are none.
final class Runner {
  var _passed = 0;
  var _failed = 0;

  /// Runs [body], which fails by throwing.
  Future<void> test(String name, FutureOr<void> Function() body) async {
    try {
      await Future.sync(body).timeout(const Duration(seconds: 60));
      _passed++;
    } catch (error, trace) {
      _failed++;
      print('FAILED $name: $error\n$trace');
    }
  }

  /// Prints the counts; returns whether all passed, which requires at least one
  /// test.
  bool finish(String what) {
    print('$what: $_passed passed, $_failed failed');
    return _failed == 0 && _passed > 0;
  }
}

/// Fails unless both have the same JSON.
void expectEqual(Object? got, Object? expected) {
  if (jsonEncode(got) == jsonEncode(expected)) return;
  throw StateError('${jsonEncode(got)} instead of ${jsonEncode(expected)}');
}

/// Fails unless [condition] holds.
void expectTrue(bool condition, String what) {
  if (!condition) throw StateError('not true: $what');
}

/// What [body] throws. Fails if that is not an [E].
Future<E> thrown<E extends Object>(FutureOr<Object?> Function() body) async {
  final Object? value;
  try {
    value = await body();
  } on E catch (error) {
    return error;
  }
  throw StateError('$value instead of $E');
}
