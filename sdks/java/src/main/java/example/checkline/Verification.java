package example.checkline;

/**
 * The short result of one number.
 *
 * @param valid whether the number is in a range that its country's numbering plan has assigned
 * @param carrier the carrier the range was first allocated to; null where none is known
 */
public record Verification(boolean valid, String carrier) {}
