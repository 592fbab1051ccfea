package example.checkline;

/**
 * The state of a quota, counted in successful live verifications.
 *
 * @param plan the plan's id, such as {@code trial}; null without a subscription, and in a key's cap and an exception
 * @param limit null if unlimited
 * @param used how many are used
 * @param remaining null if unlimited
 * @param resetsAt when it resets, in ISO 8601; null if it doesn't
 * @param keyCap the calling key's monthly cap; null without one
 */
public record Quota(String plan, Long limit, long used, Long remaining, String resetsAt, Quota keyCap) {}
