package example.checkline;

/**
 * The number the user may have meant. Ask before you use it.
 *
 * @param number a valid number in E.164 form
 * @param reason how the number sent differs from it, for example {@code MISSING_PLUS}
 */
public record Suggestion(String number, String reason) {}
