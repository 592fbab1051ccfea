package example.checkline;

/**
 * The state of a quota, counted in successful live verifications.
 *
 * @param plan {@code trial} or {@code pro}; null without a subscription, and in a key's cap and an exception
 * @param limit null if there is no limit
 * @param used the used count
 * @param remaining null if there is no limit
 * @param resetsAt when the quota resets, in ISO 8601; null if it doesn't
 * @param keyCap the calling key's monthly cap; null without one
 */
public record Quota(String plan, Long limit, long used, Long remaining, String resetsAt, Quota keyCap) {}
