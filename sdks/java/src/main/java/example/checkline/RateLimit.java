package example.checkline;

import java.time.Duration;

/**
 * What is left of a limit.
 *
 * @param remaining how many remain
 * @param reset the time until more are available
 */
public record RateLimit(long remaining, Duration reset) {}
