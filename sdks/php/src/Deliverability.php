<?php

declare(strict_types=1);

namespace Checkline;

/** An estimate of how reachable a number is, based on the numbering plan. No network is queried. */
final class Deliverability
{
    /**
     * @param string $sms whether numbers of this kind receive text messages: likely, unlikely, or unknown
     * @param string $voice whether numbers of this kind receive calls: likely, unlikely, or unknown
     * @param list<string> $flags the reasons for both estimates, and other reasons for doubt, such as premium_rate
     */
    public function __construct(
        public readonly string $sms,
        public readonly string $voice,
        public readonly array $flags,
    ) {
    }
}
