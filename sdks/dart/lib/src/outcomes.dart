/// What comes of a call. One library, because an item of a batch is either a
/// result or an exception, and a `switch` is to know that there is no third.
library;

part 'exceptions.dart';
part 'results.dart';
