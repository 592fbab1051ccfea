package example.checkline;

import java.time.Duration;

/**
 * What remains of a limit.
 *
 * @param remaining how many remain
 * @param reset the time until more are available
 */
public record RateLimit(long remaining, Duration reset) {}
