import 'dart:convert';
import 'dart:io';

Future<void> main() async {
  final url = Uri.parse('https://checkline.example/api/v1/countries/GM');
  final client = HttpClient()
    ..connectionTimeout = const Duration(seconds: 10);
  final request = await client.getUrl(url);
  final response = await request.close();
  final body = await response.transform(utf8.decoder).join();
  client.close();
  print(jsonDecode(body));
}
