package example.checkline;

/**
 * Any failure of a call. The message is the service's own; the subclass is the kind of failure.
 *
 * <p>Neither the message nor a cause ever contains the API key.
 */
public abstract sealed class ChecklineException extends RuntimeException
    permits AuthenticationException,
        QuotaException,
        RateLimitException,
        InvalidRequestException,
        VerificationFailedException,
        ServerException,
        ConnectionException {
  private static final long serialVersionUID = 1;

  /** The code for a response that is not the service's own, for example a gateway's page. */
  static final String UNEXPECTED_RESPONSE = "UNEXPECTED_RESPONSE";

  /**
   * Creates an exception from a response.
   *
   * @param status the HTTP status; null without a response
   * @param requestId the header {@code X-Request-Id}; null without one
   */
  record Details(String message, String code, Integer status, String requestId) {}

  /** A stable code for what happened. */
  private final String code;

  /** The HTTP status, or null. */
  private final Integer status;

  /** The service's name for the request, or null. */
  private final String requestId;

  ChecklineException(Details details, Throwable cause) {
    super(details.message(), cause);
    this.code = details.code();
    this.status = details.status();
    this.requestId = details.requestId();
  }

  /**
   * A stable code for what happened, for example {@code QUOTA_EXCEEDED}. It is {@code UNEXPECTED_RESPONSE} if the
   * response is not the service's own, and {@code TIMEOUT} or {@code CONNECTION_FAILED} without a response.
   *
   * @return the code, never null
   */
  public String code() {
    return code;
  }

  /**
   * The HTTP status.
   *
   * @return the status, or null without a response and for a batch item
   */
  public Integer status() {
    return status;
  }

  /**
   * The service's ID for the request, for support.
   *
   * @return the header {@code X-Request-Id} of the response, or null
   */
  public String requestId() {
    return requestId;
  }

  @Override
  public String toString() {
    return getClass().getName()
        + ": "
        + code
        + ": "
        + getMessage()
        + (status == null ? "" : " (status " + status + ")")
        + (requestId == null ? "" : " (request " + requestId + ")");
  }
}
