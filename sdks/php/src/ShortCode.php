<?php

declare(strict_types=1);

namespace Checkline;

/** Details about a short code. */
final class ShortCode
{
    /**
     * @param string $cost what a call costs: toll_free, standard_rate, premium_rate, or unknown
     * @param bool $emergency whether it reaches an emergency service
     */
    public function __construct(
        public readonly string $cost,
        public readonly bool $emergency,
    ) {
    }
}
