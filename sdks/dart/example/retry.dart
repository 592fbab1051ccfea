import 'package:checkline/checkline.dart';

Future<void> main() async {
  final checkline = Checkline();
  // Store it with the job, so a rerun counts once.
  const key = '7c1d5c0e-6f0f-4a53-9d53-3a1f3b8f2f0e';
  final result = await checkline.lookup('+5511987654321', idempotencyKey: key);
  print(result.countryName);
  checkline.close();
}
