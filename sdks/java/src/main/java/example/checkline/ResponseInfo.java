package example.checkline;

import java.time.Duration;
import java.util.Map;

/**
 * What a response says beside its body. It has neither the number nor the key, so that it can be logged.
 *
 * @param status the HTTP status
 * @param requestId the header {@code X-Request-Id}, to quote to support; null without one
 * @param attempt which attempt of its call it came to, from 1
 * @param duration the time from sending the request to the end of the body
 * @param rateLimits what is left of each limit of the minute, by its name: {@code requests} and {@code numbers}; empty where the
 *     response does not say
 */
public record ResponseInfo(
    int status, String requestId, int attempt, Duration duration, Map<String, RateLimit> rateLimits) {}
