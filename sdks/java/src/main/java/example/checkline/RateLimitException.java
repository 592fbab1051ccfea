package example.checkline;

import java.time.Duration;

/** Too many requests: status 429. */
public final class RateLimitException extends ChecklineException {
  private static final long serialVersionUID = 1;

  /** The wait that the service asks for, or null. */
  private final Duration retryAfter;

  RateLimitException(Details details, Duration retryAfter) {
    super(details, null);
    this.retryAfter = retryAfter;
  }

  /**
   * The time to wait before the next call.
   *
   * @return the header {@code Retry-After}, in whole seconds, or null if the response doesn't say
   */
  public Duration retryAfter() {
    return retryAfter;
  }
}
