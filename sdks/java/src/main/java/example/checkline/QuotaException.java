package example.checkline;

/** The quota of the subscription is used up: status 402. */
public final class QuotaException extends ChecklineException {
  private static final long serialVersionUID = 1;

  QuotaException(Details details) {
    super(details, null);
  }
}
