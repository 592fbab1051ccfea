<?php

declare(strict_types=1);

namespace Checkline;

/**
 * The full result of one number. An invalid number is a result, not an error.
 *
 * Texts that name one of several values are plain strings, for the service may learn new ones.
 */
final class LookupResult
{
    /**
     * @param bool $valid whether the number is in a range that its country's numbering plan has assigned
     * @param string|null $number the number in E.164 form, as it was understood; null when none could be read
     * @param string|null $localFormat how the number is written inside its country; null when it is not valid
     * @param string|null $internationalFormat how the number is written for callers abroad; null when it is not valid
     * @param string|null $countryPrefix the calling code with its plus sign, for example +55
     * @param string|null $countryCode ISO 3166-1 alpha-2; null for calling codes that belong to no country
     * @param string|null $countryName the country's English name
     * @param string|null $location the area a geographic number was assigned to, or the country's name
     * @param string|null $carrier the carrier the range was first allocated to; a ported number may be with another
     * @param string|null $lineType mobile, fixed or voip; null where the plan cannot tell mobile from fixed
     * @param string $numberType the numbering plan's own, finer type, such as toll_free
     * @param string|null $extension the extension that was part of the input, digits only
     * @param bool $possible whether the number is valid, or at least has a length that the country's plan uses
     * @param string|null $reason why the number is not valid, such as TOO_SHORT; null when it is
     * @param list<string> $timeZones IANA names of the time zones the number may be in; empty when it is not valid
     * @param string $carrierSource where carrier comes from: original_allocation, not a live network query
     * @param bool|null $numberPortability whether mobile numbers can move between carriers in this country
     * @param Deliverability $deliverability what the numbering plan says about reaching the number
     * @param string $reachability not_checked: the handset is never contacted
     * @param Suggestion|null $suggestion the number that may have been meant, where there is exactly one
     * @param ShortCode|null $shortCode what is known about a short code; null unless reason is SHORT_CODE
     * @param bool|null $accepted whether the number meets expectCountry and acceptTypes of the call; null without either
     * @param string|null $rejectedBecause why the number is not accepted, such as OTHER_COUNTRY
     * @param string|null $status DELIVERED_TO_HANDSET in responses of the sandbox, to test keys; null otherwise
     * @param ResponseInfo $response the response that the result came in
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
