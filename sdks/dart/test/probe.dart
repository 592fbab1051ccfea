import 'package:checkline/checkline.dart';

/// Prints how a client uses the environment.
void main() {
  try {
    print(Checkline());
  } on ArgumentError catch (error) {
    print(error);
  }
}
