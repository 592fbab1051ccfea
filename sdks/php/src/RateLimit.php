<?php

declare(strict_types=1);

namespace Checkline;

/** What remains of a limit. */
final class RateLimit
{
    /**
     * @param int $remaining how many remain
     * @param int $resetSeconds seconds until more are available
     */
    public function __construct(
        public readonly int $remaining,
        public readonly int $resetSeconds,
    ) {
    }
}
