package example.checkline;

/** The quota of the subscription or the cap of the key has too little left: status 402. */
public final class QuotaException extends ChecklineException {
  private static final long serialVersionUID = 1;

  /** The figures of what refused the call, or null. */
  private final transient Quota quota;

  QuotaException(Details details, Quota quota) {
    super(details, null);
    this.quota = quota;
  }

  /**
   * The details of the quota or cap that was too low.
   *
   * @return its limit, used, and remaining counts, or null if the response has none
   */
  public Quota quota() {
    return quota;
  }
}
