// From an app, call your own server: a key inside an app can be read.
import 'dart:convert';
import 'dart:io';

Future<void> main() async {
  final key = Platform.environment['CHECKLINE_API_KEY'];
  final url = Uri.parse('https://checkline.example/api/v1/verify');
  final client = HttpClient()
    ..connectionTimeout = const Duration(seconds: 10);
  final request = await client.postUrl(url);
  request.headers.set('Authorization', 'Bearer $key');
  request.headers.contentType = ContentType.json;
  request.write(jsonEncode({'number': '+5511987654321'}));

  final response = await request.close();
  final body = await response.transform(utf8.decoder).join();
  client.close();
  final result = jsonDecode(body) as Map<String, dynamic>;

  if (response.statusCode != HttpStatus.ok) {
    throw HttpException('${result['code']}: ${result['error']}');
  }
  final fields = ['valid', 'country_name', 'carrier', 'line_type'];
  print(fields.map((field) => result[field]).nonNulls.join(' '));
}
