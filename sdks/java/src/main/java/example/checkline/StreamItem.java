package example.checkline;

/**
 * The outcome of one number of a stream: that of a batch, or the {@link InvalidRequestException} about this number. An
 * exception is returned instead of thrown, so one number doesn't affect the others.
 */
public sealed interface StreamItem permits BatchItem, InvalidRequestException {}
