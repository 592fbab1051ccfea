package example.checkline;

/**
 * The outcome for one number in a batch: its {@link LookupResult}, or its {@link VerificationFailedException}, which is returned
 * instead of thrown so that it doesn't affect the other numbers.
 */
public sealed interface BatchItem permits LookupResult, VerificationFailedException {}
