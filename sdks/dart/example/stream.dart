import 'package:checkline/checkline.dart';

Stream<PhoneNumber> numbers() async* {
  yield const PhoneNumber('+5511987654321');
  yield const PhoneNumber('020 7946 0018', country: 'GB');
  yield const PhoneNumber('+12025550109');
}

Future<void> main() async {
  final checkline = Checkline();
  await for (final item in checkline.lookupStream(numbers())) {
    final text = switch (item) {
      LookupResult() => item.valid ? item.number : item.reason,
      VerificationFailedException() => item.code,
      InvalidRequestException() => item.code,
    };
    print(text);
  }
  checkline.close();
}
