/// The outcome of a call. One library, because an item of a batch is either a
/// result or an exception, and a `switch` must be exhaustive.
library;

part 'exceptions.dart';
part 'lookup_result.dart';
part 'results.dart';
