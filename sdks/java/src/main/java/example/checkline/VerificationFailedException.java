package example.checkline;

/**
 * The number is one of the sandbox's nine failing numbers. Thrown for a single number, returned in place of a result in
 * a list.
 */
public final class VerificationFailedException extends ChecklineException implements BatchItem {
  private static final long serialVersionUID = 1;

  VerificationFailedException(Details details) {
    super(details, null);
  }
}
