import 'dart:io';
import 'package:checkline/checkline.dart';

Future<void> main() async {
  final checkline = Checkline();
  try {
    final it = await checkline.lookup('+5511987654321');
    final fields = [it.valid, it.countryName, it.carrier, it.lineType];
    print(fields.nonNulls.join(' '));
  } on ChecklineException catch (error) {
    stderr.writeln('${error.code}: ${error.message}');
    exitCode = 1;
  }
  checkline.close();
}
