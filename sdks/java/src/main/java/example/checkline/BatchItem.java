package example.checkline;

/**
 * The outcome of one number of a batch: its {@link LookupResult}, or the {@link VerificationFailedException} that
 * rejected it, which is returned instead of thrown, so one number doesn't affect the others.
 */
public sealed interface BatchItem extends StreamItem permits LookupResult, VerificationFailedException {}
