package example.checkline;

/**
 * The service failed (status 5xx), or returned an unusable response: a status below 400 other than 200, or a body that
 * is not the API's.
 */
public final class ServerException extends ChecklineException {
  private static final long serialVersionUID = 1;

  ServerException(Details details) {
    super(details, null);
  }
}
