<?php

declare(strict_types=1);

namespace Checkline;

/** What remains of a limit. */
final class RateLimit
{
    /**
     * @param int $remaining the remaining count
     * @param int $resetSeconds seconds until the limit resets
     */
    public function __construct(
        public readonly int $remaining,
        public readonly int $resetSeconds,
    ) {
    }
}
