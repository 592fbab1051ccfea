package example.checkline;

/**
 * What came of one number of a batch: its {@link LookupResult}, or the {@link VerificationFailedException} that refused it, which
 * is returned and not thrown, so that one number does not touch the others.
 */
public sealed interface BatchItem permits LookupResult, VerificationFailedException {}
