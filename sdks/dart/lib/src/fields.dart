/// A JSON object. A field of an undocumented type counts as absent.
typedef Json = Map<String, Object?>;

/// The object, or null if it's another value.
Json? objectIn(Object? value) => value is Json ? value : null;

/// The whole number in a field, or null.
int? intIn(Json json, String field) =>
    json[field] is int ? json[field] as int : null;

/// The text in a field, or null.
String? textIn(Json json, String field) =>
    json[field] is String ? json[field] as String : null;

/// The boolean in a field, or null.
bool? boolIn(Json json, String field) =>
    json[field] is bool ? json[field] as bool : null;

/// The texts of the list in a field, or none.
List<String> textsIn(Json json, String field) {
  final list = json[field];
  if (list is! List<Object?>) return const [];
  return List.unmodifiable(list.whereType<String>());
}
