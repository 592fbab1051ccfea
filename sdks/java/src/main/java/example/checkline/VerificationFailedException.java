package example.checkline;

/** A failing scenario of the sandbox. Thrown for a single number, returned in place of a result in a batch. */
public final class VerificationFailedException extends ChecklineException implements BatchItem {
  private static final long serialVersionUID = 1;

  VerificationFailedException(Details details) {
    super(details, null);
  }
}
