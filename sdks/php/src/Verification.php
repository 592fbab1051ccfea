<?php

declare(strict_types=1);

namespace Checkline;

/** The short result of Client::verify(). */
final class Verification
{
    /**
     * @param bool $valid whether the number is in a range assigned by its country's numbering plan
     * @param string|null $carrier the carrier whose range it is, by today's brand; a ported number may have moved to
     * another
     */
    public function __construct(
        public readonly bool $valid,
        public readonly ?string $carrier,
    ) {
    }
}
