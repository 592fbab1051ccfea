<?php

declare(strict_types=1);

namespace Checkline;

/** What the numbering plan says about reaching a number. No network is asked. */
final class Deliverability
{
    /**
     * @param string $sms whether numbers of this kind receive text messages: likely, unlikely or unknown
     * @param string $voice whether numbers of this kind receive calls: likely, unlikely or unknown
     * @param list<string> $flags what led to the two estimates, and other reasons for doubt, such as premium_rate
     */
    public function __construct(
        public readonly string $sms,
        public readonly string $voice,
        public readonly array $flags,
    ) {
    }
}
