<?php

declare(strict_types=1);

namespace Checkline\Exception;

use Checkline\Quota;

/** Not enough quota or cap left (402). */
final class QuotaException extends ChecklineException
{
    /**
     * @param Quota|null $quota the figures of the limit that rejected the call: limit, used and remaining; null without
     * them
     */
    public function __construct(
        string $message,
        string $errorCode,
        ?int $status = null,
        ?string $requestId = null,
        public readonly ?Quota $quota = null,
    ) {
        parent::__construct($message, $errorCode, $status, $requestId);
    }
}
