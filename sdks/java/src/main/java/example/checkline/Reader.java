package example.checkline;

import example.checkline.ChecklineException.Details;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Parses responses into results and exceptions. Ignores unknown fields and treats a field of the wrong type as absent.
 */
final class Reader {
  /** The codes of the sandbox's failing scenarios. */
  private static final Set<String> SANDBOX_CODES =
      Set.of(
          "REJECTED_NETWORK",
          "REJECTED_FORMAT",
          "REJECTED_PREFIX_MISSING",
          "REJECTED_SUBSCRIBER_ABSENT",
          "REJECTED_UNKNOWN_SUBSCRIBER",
          "REJECTED_UNDELIVERABLE",
          "UNDELIVERABLE_NOT_DELIVERED",
          "TEMPORARY_FAILURE",
          "SERVICE_UNAVAILABLE");

  private Reader() {}

  /** The result in a response. */
  static LookupResult result(Answer answer) {
    if (answer.json() instanceof Map<?, ?> json && json.get("valid") instanceof Boolean valid) {
      return result(json, valid, answer.info());
    }
    throw unusable(answer);
  }

  /** The items of a batch of `count` numbers, in order. */
  static List<BatchItem> results(Answer answer, int count) {
    if (!(answer.json() instanceof Map<?, ?> json) || !(json.get("results") instanceof List<?> items) || items.size() != count) {
      throw unusable(answer);
    }
    List<BatchItem> results = new ArrayList<>();
    for (Object item : items) {
      if (!(item instanceof Map<?, ?> object)) throw unusable(answer);
      if (object.get("error") instanceof String message) {
        String code = object.get("code") instanceof String text ? text : ChecklineException.UNEXPECTED_RESPONSE;
        results.add(new VerificationFailedException(new Details(message, code, null, answer.requestId())));
      } else if (object.get("valid") instanceof Boolean valid) {
        results.add(result(object, valid, answer.info()));
      } else {
        throw unusable(answer);
      }
    }
    return List.copyOf(results);
  }

  /** What is left, in a response. */
  static Quota quota(Answer answer) {
    Quota quota = quota(answer.json());
    if (quota == null) throw unusable(answer);
    return quota;
  }

  /** The figures in the JSON, or null. */
  private static Quota quota(Object value) {
    if (!(value instanceof Map<?, ?> json)) return null;
    Long used = count(json, "used");
    return used == null
        ? null
        : new Quota(
            text(json, "plan"),
            count(json, "limit"),
            used,
            count(json, "remaining"),
            text(json, "resets_at"),
            quota(json.get("key_cap")));
  }

  private static LookupResult result(Map<?, ?> json, boolean valid, ResponseInfo response) {
    return new LookupResult(
        valid,
        text(json, "number"),
        text(json, "local_format"),
        text(json, "international_format"),
        text(json, "country_prefix"),
        text(json, "country_code"),
        text(json, "country_name"),
        text(json, "location"),
        text(json, "carrier"),
        text(json, "line_type"),
        text(json, "number_type", "unknown"),
        text(json, "extension"),
        json.get("possible") instanceof Boolean possible ? possible : valid,
        text(json, "reason"),
        suggestion(nested(json, "suggestion")),
        shortCode(nested(json, "short_code")),
        texts(json, "time_zones"),
        text(json, "carrier_source", "original_allocation"),
        bool(json, "number_portability"),
        deliverability(nested(json, "deliverability")),
        text(json, "reachability", "not_checked"),
        bool(json, "accepted"),
        text(json, "rejected_because"),
        text(json, "status"),
        response);
  }

  private static Deliverability deliverability(Map<?, ?> json) {
    return new Deliverability(text(json, "sms", "unknown"), text(json, "voice", "unknown"), texts(json, "flags"));
  }

  private static Suggestion suggestion(Map<?, ?> json) {
    boolean complete = json.get("number") instanceof String && json.get("reason") instanceof String;
    return complete ? new Suggestion(text(json, "number"), text(json, "reason")) : null;
  }

  private static ShortCode shortCode(Map<?, ?> json) {
    boolean complete = json.get("cost") instanceof String && json.get("emergency") instanceof Boolean;
    return complete ? new ShortCode(text(json, "cost"), bool(json, "emergency")) : null;
  }

  private static Map<?, ?> nested(Map<?, ?> json, String field) {
    return json.get(field) instanceof Map<?, ?> object ? object : Map.of();
  }

  private static Long count(Map<?, ?> json, String field) {
    return json.get(field) instanceof Double number && number % 1 == 0 ? number.longValue() : null;
  }

  private static String text(Map<?, ?> json, String field, String otherwise) {
    return json.get(field) instanceof String text ? text : otherwise;
  }

  private static String text(Map<?, ?> json, String field) {
    return json.get(field) instanceof String text ? text : null;
  }

  private static Boolean bool(Map<?, ?> json, String field) {
    return json.get(field) instanceof Boolean bool ? bool : null;
  }

  private static List<String> texts(Map<?, ?> json, String field) {
    if (!(json.get(field) instanceof List<?> list)) return List.of();
    return list.stream().filter(String.class::isInstance).map(String.class::cast).toList();
  }

  /** The exception for a response that did not succeed. */
  static ChecklineException failure(Answer answer) {
    Map<?, ?> json = answer.json() instanceof Map<?, ?> object ? object : Map.of();
    Details details =
        answer.status() >= 400 && json.get("error") instanceof String message && json.get("code") instanceof String code
            ? new Details(message, code, answer.status(), answer.requestId())
            : unexpected(answer);
    int status = answer.status();
    if (status == 401 || status == 403) return new AuthenticationException(details);
    if (status == 402) return new QuotaException(details, quota(json.get("quota")));
    if (status == 429) return new RateLimitException(details, answer.retryAfter());
    if (status == 400 && SANDBOX_CODES.contains(details.code())) return new VerificationFailedException(details);
    if (status >= 400 && status < 500) return new InvalidRequestException(details, fields(json));
    return new ServerException(details);
  }

  private static Map<String, String> fields(Map<?, ?> json) {
    Map<String, String> fields = new HashMap<>();
    if (json.get("fields") instanceof Map<?, ?> complaints) {
      complaints.forEach((name, complaint) -> {
        if (complaint instanceof String text) fields.put((String) name, text);
      });
    }
    return fields;
  }

  private static ServerException unusable(Answer answer) {
    return new ServerException(unexpected(answer));
  }

  private static Details unexpected(Answer answer) {
    String message = "The response, of status " + answer.status() + ", is not the API's.";
    return new Details(message, ChecklineException.UNEXPECTED_RESPONSE, answer.status(), answer.requestId());
  }
}
