package example.checkline;

import java.time.Duration;
import java.util.Map;

/**
 * A response's metadata. Contains neither the number nor the key, so it is safe to log.
 *
 * @param status the HTTP status
 * @param requestId the header {@code X-Request-Id}, for support requests; null without one
 * @param dataVersion the header {@code Data-Version}, the version of the data behind the result, such as
 *     {@code 9.0.43+3f9c1a}; null if there is no result
 * @param attempt the attempt number within its call, starting at 1
 * @param duration the time from sending the request to the end of the body
 * @param rateLimits what is left of each per-minute limit, by name: {@code requests} and {@code numbers}; empty if the
 *     response doesn't say
 */
public record ResponseInfo(
    int status,
    String requestId,
    String dataVersion,
    int attempt,
    Duration duration,
    Map<String, RateLimit> rateLimits) {}
