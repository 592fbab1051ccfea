package example.checkline;

/** The subscription's quota or the key's cap has too little left: status 402. */
public final class QuotaException extends ChecklineException {
  private static final long serialVersionUID = 1;

  /** The figures of the limit that rejected the call, or null. */
  private final transient Quota quota;

  QuotaException(Details details, Quota quota) {
    super(details, null);
    this.quota = quota;
  }

  /**
   * The figures of the limit that rejected the call.
   *
   * @return its limit, what is used, and what remains, or null if the response has none
   */
  public Quota quota() {
    return quota;
  }
}
