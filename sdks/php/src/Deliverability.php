<?php

declare(strict_types=1);

namespace Checkline;

/** What the numbering plan says about reaching a number. No network is queried. */
final class Deliverability
{
    /**
     * @param string $sms whether numbers of this kind receive text messages: likely, unlikely or unknown
     * @param string $voice whether numbers of this kind receive calls: likely, unlikely or unknown
     * @param list<string> $flags the reasons behind the estimates, and other warning signs, such as premium_rate
     */
    public function __construct(
        public readonly string $sms,
        public readonly string $voice,
        public readonly array $flags,
    ) {
    }
}
