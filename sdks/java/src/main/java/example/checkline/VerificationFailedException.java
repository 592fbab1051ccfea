package example.checkline;

/** The sandbox rejected the number. Thrown for a single number, returned in place of a result in a list. */
public final class VerificationFailedException extends ChecklineException implements BatchItem {
  private static final long serialVersionUID = 1;

  /** The number's result, or null. */
  private final transient LookupResult result;

  VerificationFailedException(Details details, LookupResult result) {
    super(details, null);
    this.result = result;
  }

  /**
   * What a live key returns for the number.
   *
   * @return the result, or null for the sandbox's own failing numbers, and after serialization
   */
  public LookupResult result() {
    return result;
  }
}
