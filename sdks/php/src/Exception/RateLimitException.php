<?php

declare(strict_types=1);

namespace Checkline\Exception;

/** Too many requests (429). */
final class RateLimitException extends ChecklineException
{
    /** @param int|null $retryAfter the time to wait, in seconds; null if the response has none */
    public function __construct(
        string $message,
        string $errorCode,
        ?int $status = null,
        ?string $requestId = null,
        public readonly ?int $retryAfter = null,
    ) {
        parent::__construct($message, $errorCode, $status, $requestId);
    }
}
