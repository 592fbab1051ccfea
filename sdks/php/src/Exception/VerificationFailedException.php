<?php

declare(strict_types=1);

namespace Checkline\Exception;

use Checkline\LookupResult;

/**
 * The sandbox rejected this number.
 *
 * Client::lookupBatch() returns it in place of the number's result; its status is null then.
 */
final class VerificationFailedException extends ChecklineException
{
    /** @param LookupResult|null $result what a live key returns; null for the sandbox's own failing numbers */
    public function __construct(
        string $message,
        string $errorCode,
        ?int $status = null,
        ?string $requestId = null,
        public readonly ?LookupResult $result = null,
    ) {
        parent::__construct($message, $errorCode, $status, $requestId);
    }
}
