package example.checkline;

import java.time.Duration;

/**
 * What remains of a limit.
 *
 * @param remaining the remaining count
 * @param reset the time until the limit resets
 */
public record RateLimit(long remaining, Duration reset) {}
