package example.checkline;

import java.util.List;

/**
 * What the numbering plan says about reaching a number. No network is queried.
 *
 * @param sms whether numbers of this kind receive text messages: {@code likely}, {@code unlikely} or {@code unknown}
 * @param voice whether numbers of this kind receive calls, in the same words
 * @param flags the reasons behind the estimates, and other warning signs, for example {@code premium_rate}; possibly
 * empty, never
 *     null
 */
public record Deliverability(String sms, String voice, List<String> flags) {}
