import 'package:checkline/checkline.dart';

Future<void> main() async {
  final checkline = Checkline();
  const numbers = [
    PhoneNumber('+5511987654321'),
    PhoneNumber('+12025550109'), // Always fails in the sandbox.
    PhoneNumber('+442079460018'),
  ];
  final items = await checkline.lookupBatch(numbers);
  for (final (index, item) in items.indexed) {
    final text = switch (item) {
      LookupResult() =>
        item.valid ? item.countryName ?? 'no country' : item.reason,
      VerificationFailedException() => item.code,
    };
    print('${numbers[index].number}: $text');
  }
  checkline.close();
}
