package example.checkline;

/**
 * What is left of a quota, counted in successful live verifications.
 *
 * @param plan {@code trial} or {@code pro}; null without a subscription, and in a key's cap and an exception
 * @param limit null where nothing limits them
 * @param used how many are used up
 * @param remaining null where nothing limits them
 * @param resetsAt when it begins again, in ISO 8601; null for one that does not
 * @param keyCap the monthly cap of the key that asks; null without one
 */
public record Quota(String plan, Long limit, long used, Long remaining, String resetsAt, Quota keyCap) {}
