package example.checkline;

import java.util.List;

/**
 * The full result of one number. Unknown fields are null. Enum values are plain strings, since later versions may add
 * some.
 *
 * @param valid whether the number is in a range assigned by its country's numbering plan
 * @param number the number in E.164 form, as we understood it; null if we couldn't read one or it has over 15 digits
 * @param localFormat how the number is written within its country; null if invalid
 * @param internationalFormat how the number is written for callers abroad; null if invalid
 * @param countryPrefix the calling code with its plus sign, for example {@code +55}
 * @param countryCode ISO 3166-1 alpha-2; null for calling codes that don't belong to a country
 * @param countryName the country's English name
 * @param location the area a geographic number was assigned to, or the country's name where the plan knows no finer
 * area
 * @param carrier the carrier the range was first allocated to; a ported number may have moved to another
 * @param lineType {@code mobile}, {@code fixed} or {@code voip}; null if the numbering plan can't tell mobile from
 * fixed
 * @param numberType the numbering plan's own, more specific type, for example {@code toll_free}
 * @param extension the extension in the input, digits only
 * @param possible whether the number is valid, or at least has a length that the country's numbering plan uses
 * @param reason why the number is not valid, for example {@code TOO_SHORT}; null when it is
 * @param suggestion the number the user may have meant, if exactly one fits; null otherwise
 * @param shortCode details about a short code; null unless reason is {@code SHORT_CODE}
 * @param timeZones IANA names of the time zones the number may be in; possibly empty, never null
 * @param carrierSource where carrier comes from: {@code original_allocation}, not a live network query
 * @param numberPortability whether mobile numbers can move between carriers in this country; null without a country
 * @param deliverability what the numbering plan says about reaching the number
 * @param reachability {@code not_checked}: we never contact the handset
 * @param accepted whether the number meets the call's {@link Acceptance}; null without one
 * @param rejectedBecause why the number isn't accepted, for example {@code OTHER_COUNTRY}
 * @param status the delivery status of the sandbox; null with a live key
 * @param response the response that contained the result
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
