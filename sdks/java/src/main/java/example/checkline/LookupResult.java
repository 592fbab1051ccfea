package example.checkline;

import java.util.List;

/**
 * The full result of one number. Texts are null where there is nothing to say. Where the service
 * has a fixed set of words, later versions may add some, so they are plain strings.
 *
 * @param valid whether the number is in a range that its country's numbering plan has assigned
 * @param number the number in E.164 form, as it was understood; null when none could be read or it has over 15 digits
 * @param localFormat how the number is written inside its country; null when it is not valid
 * @param internationalFormat how the number is written for callers abroad; null when it is not valid
 * @param countryPrefix the calling code with its plus sign, for example {@code +55}
 * @param countryCode ISO 3166-1 alpha-2; null for calling codes that belong to no country
 * @param countryName the country's English name
 * @param location the area a geographic number was assigned to, or the country's name where the plan knows no finer area
 * @param carrier the carrier the range was first allocated to; a ported number may be with another
 * @param lineType {@code mobile}, {@code fixed} or {@code voip}; null where the numbering plan cannot tell mobile from fixed
 * @param numberType the numbering plan's own, finer type, for example {@code toll_free}
 * @param extension the extension that was part of the input, digits only
 * @param possible whether the number is valid, or at least has a length that the country's numbering plan uses
 * @param reason why the number is not valid, for example {@code TOO_SHORT}; null when it is
 * @param suggestion the number that may have been meant, where there is exactly one; null otherwise
 * @param shortCode what is known about a short code; null unless reason is {@code SHORT_CODE}
 * @param timeZones IANA names of the time zones the number may be in; perhaps empty, never null
 * @param carrierSource where carrier comes from: {@code original_allocation}, not a live network query
 * @param numberPortability whether mobile numbers can move between carriers in this country; null without a country
 * @param deliverability what the numbering plan says about reaching the number
 * @param reachability {@code not_checked}: the handset is never contacted
 * @param accepted whether the number meets the call's {@link Acceptance}; null without one
 * @param rejectedBecause why the number is not accepted, for example {@code OTHER_COUNTRY}
 * @param status the delivery status of the sandbox; null with a live key
 * @param response the response that the result came in
 */
public record LookupResult(
    boolean valid,
    String number,
    String localFormat,
    String internationalFormat,
    String countryPrefix,
    String countryCode,
    String countryName,
    String location,
    String carrier,
    String lineType,
    String numberType,
    String extension,
    boolean possible,
    String reason,
    Suggestion suggestion,
    ShortCode shortCode,
    List<String> timeZones,
    String carrierSource,
    Boolean numberPortability,
    Deliverability deliverability,
    String reachability,
    Boolean accepted,
    String rejectedBecause,
    String status,
    ResponseInfo response)
    implements BatchItem {}
