package example.checkline;

/** The key is not valid, has been revoked, or may not do this: status 401 or 403. */
public final class AuthenticationException extends ChecklineException {
  private static final long serialVersionUID = 1;

  AuthenticationException(Details details) {
    super(details, null);
  }
}
