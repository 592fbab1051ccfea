import 'package:checkline/checkline.dart';

Future<void> main() async {
  final checkline = Checkline();
  final result = await checkline.verify('+5511987654321');
  print('${result.carrier ?? 'unknown carrier'} ${result.valid}');
  checkline.close();
}
