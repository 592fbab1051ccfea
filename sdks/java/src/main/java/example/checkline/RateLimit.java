package example.checkline;

import java.time.Duration;

/**
 * What is left of a limit.
 *
 * @param remaining how many remain
 * @param reset the time until there are more
 */
public record RateLimit(long remaining, Duration reset) {}
