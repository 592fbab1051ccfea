package example.checkline;

/**
 * The short result of one number.
 *
 * @param valid whether the number is in a range assigned by its country's numbering plan
 * @param carrier the carrier whose range it is, by today's brand; null if unknown
 */
public record Verification(boolean valid, String carrier) {}
