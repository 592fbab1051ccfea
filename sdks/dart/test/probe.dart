import 'package:checkline/checkline.dart';

/// Prints what a client makes of the environment.
void main() {
  try {
    print(Checkline());
  } on ArgumentError catch (error) {
    print(error);
  }
}
