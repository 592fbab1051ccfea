package example.checkline;

/**
 * Details about a short code.
 *
 * @param cost what a call costs: {@code toll_free}, {@code standard_rate}, {@code premium_rate} or {@code unknown}
 * @param emergency whether it reaches an emergency service
 */
public record ShortCode(String cost, boolean emergency) {}
