import 'package:checkline/checkline.dart';

Future<void> main() async {
  final checkline = Checkline();
  final numbers = [
    for (final text in ['+5511987654321', '+12025550109', '+442079460018'])
      PhoneNumber(text),
  ];
  final items = await checkline.lookupBatch(numbers);
  for (final (index, item) in items.indexed) {
    final text = switch (item) {
      LookupResult() => item.countryName,
      VerificationFailedException() => item.code,
    };
    print('${numbers[index].number}: $text');
  }
  checkline.close();
}
