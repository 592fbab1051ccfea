package example.checkline;

import example.checkline.ChecklineException.Details;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Parses responses into results and exceptions. Ignores unknown fields. */
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
    LookupResult result = answer.result();
    if (result == null) throw unusable(answer);
    return result;
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
        Details details = new Details(message, code, null, answer.requestId());
        results.add(new VerificationFailedException(details));
      } else {
        LookupResult result = Results.read(object, answer.info());
        if (result == null) throw unusable(answer);
        results.add(result);
      }
    }
    return List.copyOf(results);
  }

  /** The item in a stream's line, or null if there is none. */
  static StreamItem streamItem(Answer line, ResponseInfo info) {
    LookupResult result = Results.read(line.json(), info);
    if (result != null) return result;
    return failure(line) instanceof StreamItem failed ? failed : null;
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
    Long used = Fields.count(json, "used");
    return used == null
        ? null
        : new Quota(
            Fields.text(json, "plan"),
            Fields.count(json, "limit"),
            used,
            Fields.count(json, "remaining"),
            Fields.text(json, "resets_at"),
            quota(json.get("key_cap")));
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

  /** The exception for a response that isn't the service's. */
  static ServerException unusable(Answer answer) {
    return new ServerException(unexpected(answer));
  }

  private static Details unexpected(Answer answer) {
    String redirect = answer.status() >= 300 && answer.status() < 400 ? ": redirects aren't followed" : "";
    String message = "Unexpected response (HTTP " + answer.status() + ")" + redirect + ".";
    return new Details(message, ChecklineException.UNEXPECTED_RESPONSE, answer.status(), answer.requestId());
  }
}
