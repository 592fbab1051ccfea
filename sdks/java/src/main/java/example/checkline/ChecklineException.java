package example.checkline;

/**
 * The base class of all call errors. The message is the service's; the subclass is the kind of error.
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

  /** The code of a response that is not the service's own, a gateway's page for example. */
  static final String UNEXPECTED_RESPONSE = "UNEXPECTED_RESPONSE";

  /**
   * Creates an exception from a response.
   *
   * @param status the HTTP status; null without a response
   * @param requestId the header {@code X-Request-Id}; null without one
   */
  record Details(String message, String code, Integer status, String requestId) {}

  /** A stable name for what happened. */
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
   * A stable name for the error, for example {@code QUOTA_EXCEEDED}. It's {@code UNEXPECTED_RESPONSE} if the response isn't the
   * service's, and {@code TIMEOUT} or {@code CONNECTION_FAILED} if there's none.
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
   * The service's id for the request. Include it when you contact support.
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
