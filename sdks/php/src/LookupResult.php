<?php

declare(strict_types=1);

namespace Checkline;

/**
 * The full result for one number. An invalid number is a result, not an error.
 *
 * Enum values are plain strings, since the service may add new ones.
 */
final class LookupResult
{
    /**
     * @param bool $valid whether the number is in a range assigned by its country's numbering plan
     * @param string|null $number the number in E.164 form, as we understood it; null if we couldn't read one
     * @param string|null $localFormat how the number is written within its country; null if invalid
     * @param string|null $internationalFormat how the number is written for callers abroad; null if invalid
     * @param string|null $countryPrefix the calling code with its plus sign, for example +55
     * @param string|null $countryCode ISO 3166-1 alpha-2; null for calling codes that don't belong to a country
     * @param string|null $countryName the country's English name
     * @param string|null $location the area a geographic number was assigned to, or the country's name
     * @param string|null $carrier the carrier the range was first allocated to; a ported number may have moved to
     * another
     * @param string|null $lineType mobile, fixed or voip; null if the plan can't tell mobile from fixed
     * @param string $numberType the numbering plan's own, more specific type, such as toll_free
     * @param string|null $extension the extension in the input, digits only
     * @param bool $possible whether the number is valid, or at least has a length that the country's plan uses
     * @param string|null $reason why the number is invalid, such as TOO_SHORT; null if valid
     * @param list<string> $timeZones IANA time zones the number may be in; empty if invalid
     * @param string $carrierSource where carrier comes from: original_allocation, not a live network query
     * @param bool|null $numberPortability whether mobile numbers can move between carriers in this country
     * @param Deliverability $deliverability what the numbering plan says about reaching the number
     * @param string $reachability not_checked: we never contact the handset
     * @param Suggestion|null $suggestion the number the user may have meant, if exactly one fits
     * @param ShortCode|null $shortCode details about a short code; null unless reason is SHORT_CODE
     * @param bool|null $accepted whether the number meets expectCountry and acceptTypes of the call; null without
     * either
     * @param string|null $rejectedBecause why the number is not accepted, such as OTHER_COUNTRY
     * @param string|null $status DELIVERED_TO_HANDSET in responses of the sandbox, to test keys; null otherwise
     * @param ResponseInfo $response the response that contained the result
     */
    public function __construct(
        public readonly bool $valid,
        public readonly ?string $number,
        public readonly ?string $localFormat,
        public readonly ?string $internationalFormat,
        public readonly ?string $countryPrefix,
        public readonly ?string $countryCode,
        public readonly ?string $countryName,
        public readonly ?string $location,
        public readonly ?string $carrier,
        public readonly ?string $lineType,
        public readonly string $numberType,
        public readonly ?string $extension,
        public readonly bool $possible,
        public readonly ?string $reason,
        public readonly array $timeZones,
        public readonly string $carrierSource,
        public readonly ?bool $numberPortability,
        public readonly Deliverability $deliverability,
        public readonly string $reachability,
        public readonly ?Suggestion $suggestion,
        public readonly ?ShortCode $shortCode,
        public readonly ?bool $accepted,
        public readonly ?string $rejectedBecause,
        public readonly ?string $status,
        public readonly ResponseInfo $response,
    ) {
    }
}
