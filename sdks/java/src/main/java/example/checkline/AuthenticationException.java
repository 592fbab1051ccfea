package example.checkline;

/** The key is invalid or revoked, or lacks permission: status 401 or 403. */
public final class AuthenticationException extends ChecklineException {
  private static final long serialVersionUID = 1;

  AuthenticationException(Details details) {
    super(details, null);
  }
}
