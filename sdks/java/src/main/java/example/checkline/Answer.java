package example.checkline;

import java.net.http.HttpResponse;
import java.time.Duration;

/**
 * One HTTP answer.
 *
 * @param requestId the header X-Request-Id, or null
 * @param retryAfter the header Retry-After, or null where it is absent or not one to nine digits, seconds
 */
record Answer(int status, String requestId, Duration retryAfter, byte[] body) {
  static Answer of(HttpResponse<byte[]> response) {
    return new Answer(
        response.statusCode(),
        response.headers().firstValue("X-Request-Id").orElse(null),
        response.headers().firstValue("Retry-After").map(Answer::seconds).orElse(null),
        response.body());
  }

  private static Duration seconds(String header) {
    String digits = header.strip();
    return digits.matches("[0-9]{1,9}") ? Duration.ofSeconds(Long.parseLong(digits)) : null;
  }

  boolean succeeded() {
    return status == 200;
  }

  /** The body as JSON, or null where it is none. */
  Object json() {
    try {
      return Json.read(body);
    } catch (Json.MalformedException notJson) {
      return null;
    }
  }
}
