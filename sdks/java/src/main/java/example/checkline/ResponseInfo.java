package example.checkline;

import java.time.Duration;
import java.util.Map;

/**
 * Describes a response. It contains neither the number nor the key, so you can log it.
 *
 * @param status the HTTP status
 * @param requestId the header {@code X-Request-Id}, for support; null without one
 * @param attempt the attempt of the call, from 1
 * @param duration the time from sending the request to the end of the body
 * @param rateLimits what remains of each per-minute limit, by name: {@code requests} and {@code numbers}; empty if the response has
 *     none
 */
public record ResponseInfo(
    int status, String requestId, int attempt, Duration duration, Map<String, RateLimit> rateLimits) {}
