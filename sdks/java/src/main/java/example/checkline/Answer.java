package example.checkline;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One HTTP response.
 *
 * @param retryAfter the header Retry-After, or null if it is absent or neither one to nine digits (seconds) nor a date
 */
record Answer(ResponseInfo info, Duration retryAfter, byte[] body) {
  /** A part of {@code "requests";r=59;t=60, "numbers";r=599;t=60}. */
  private static final Pattern RATE_LIMIT = Pattern.compile("\"(\\w+)\";r=(\\d{1,15});t=(\\d{1,15})(?!\\d)");

  private static final Pattern DATE = Pattern.compile("\\w{3}, \\d\\d \\w{3} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT");

  static Answer of(HttpResponse<?> response, byte[] body, int attempt, Duration duration) {
    Map<String, RateLimit> limits = new HashMap<>();
    Matcher part = RATE_LIMIT.matcher(response.headers().firstValue("RateLimit").orElse(""));
    while (part.find()) {
      Duration reset = Duration.ofSeconds(Long.parseLong(part.group(3)));
      limits.put(part.group(1), new RateLimit(Long.parseLong(part.group(2)), reset));
    }
    String requestId = response.headers().firstValue("X-Request-Id").orElse(null);
    String dataVersion = response.headers().firstValue("Data-Version").orElse(null);
    return new Answer(
        new ResponseInfo(response.statusCode(), requestId, dataVersion, attempt, duration, Map.copyOf(limits)),
        response.headers().firstValue("Retry-After").map(Answer::seconds).orElse(null),
        body);
  }

  /** A line of this response to a stream, as the response to a single call. */
  Answer line(String text) {
    Answer line = new Answer(info, null, text.getBytes(StandardCharsets.UTF_8));
    Map<?, ?> json = Fields.object(line.json());
    Long status = Fields.count(json, "http_status");
    Long wait = Fields.count(json, "retry_after");
    int code = status == null ? info.status() : status.intValue();
    ResponseInfo own =
        new ResponseInfo(
            code, info.requestId(), info.dataVersion(), info.attempt(), info.duration(), info.rateLimits());
    return new Answer(own, wait == null ? null : Duration.ofSeconds(wait), line.body());
  }

  /** Whether it is the line that ends a stream early. */
  boolean isEnding() {
    return Boolean.TRUE.equals(Fields.bool(Fields.object(json()), "ended"));
  }

  private static Duration seconds(String header) {
    String text = header.strip();
    if (text.matches("[0-9]{1,9}")) return Duration.ofSeconds(Long.parseLong(text));
    if (!DATE.matcher(text).matches()) return null;
    try {
      Instant date = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      long millis = Duration.between(Instant.now(), date).toMillis();
      return Duration.ofSeconds(Math.max(0, (millis + 999) / 1000));
    } catch (DateTimeException noDate) {
      return null;
    }
  }

  int status() {
    return info.status();
  }

  String requestId() {
    return info.requestId();
  }

  /** The result in it, or null. With a test key, an input that is too short is a 400 with its result. */
  LookupResult result() {
    return switch (status()) {
      case 200 -> Results.read(json(), info);
      case 400 -> Results.read(Fields.object(json()).get("result"), info);
      default -> null;
    };
  }

  boolean succeeded() {
    return status() == 200 || result() != null;
  }

  /** The body as JSON, or null if it isn't JSON. */
  Object json() {
    try {
      return Json.read(body);
    } catch (Json.MalformedException notJson) {
      return null;
    }
  }
}
