import 'package:checkline/checkline.dart';

Future<void> main() async {
  final checkline = Checkline();
  final quota = await checkline.quota();
  final remaining = quota.remaining ?? 'unlimited';
  print('${quota.plan} ${quota.used} $remaining');
  checkline.close();
}
