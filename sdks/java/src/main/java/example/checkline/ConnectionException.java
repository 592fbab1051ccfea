package example.checkline;

/**
 * There was no response: {@link #code()} is {@code TIMEOUT} or {@code CONNECTION_FAILED}. The service may have
 * processed the request; to repeat it without being charged twice, use the same Idempotency-Key.
 */
public final class ConnectionException extends ChecklineException {
  private static final long serialVersionUID = 1;

  /** The attempt exceeded its time limit. */
  static final String TIMEOUT = "TIMEOUT";

  /** The connection failed or broke. */
  static final String CONNECTION_FAILED = "CONNECTION_FAILED";

  ConnectionException(String code, String message, Throwable cause) {
    super(new Details(message, code, null, null), cause);
  }
}
