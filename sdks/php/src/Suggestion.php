<?php

declare(strict_types=1);

namespace Checkline;

/** The number the user may have meant. Ask before you use it. */
final class Suggestion
{
    /**
     * @param string $number a valid number in E.164 form
     * @param string $reason how the number sent differs from it, such as MISSING_PLUS
     */
    public function __construct(
        public readonly string $number,
        public readonly string $reason,
    ) {
    }
}
