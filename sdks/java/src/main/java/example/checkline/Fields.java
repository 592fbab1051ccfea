package example.checkline;

import java.util.List;
import java.util.Map;

/** The fields of JSON objects. One of the wrong type counts as absent, which is null without a default. */
final class Fields {
  private Fields() {}

  /** The object, or an empty one. */
  static Map<?, ?> object(Object value) {
    return value instanceof Map<?, ?> object ? object : Map.of();
  }

  static Long count(Map<?, ?> json, String field) {
    return json.get(field) instanceof Double number && number % 1 == 0 ? number.longValue() : null;
  }

  static String text(Map<?, ?> json, String field) {
    return text(json, field, null);
  }

  static String text(Map<?, ?> json, String field, String otherwise) {
    return json.get(field) instanceof String text ? text : otherwise;
  }

  static Boolean bool(Map<?, ?> json, String field) {
    return json.get(field) instanceof Boolean bool ? bool : null;
  }

  static boolean bool(Map<?, ?> json, String field, boolean otherwise) {
    return json.get(field) instanceof Boolean bool ? bool : otherwise;
  }

  static List<String> texts(Map<?, ?> json, String field) {
    if (!(json.get(field) instanceof List<?> list)) return List.of();
    return list.stream().filter(String.class::isInstance).map(String.class::cast).toList();
  }
}
