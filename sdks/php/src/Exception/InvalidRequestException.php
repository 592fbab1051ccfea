<?php

declare(strict_types=1);

namespace Checkline\Exception;

/** The service rejected the request (other 4xx). */
final class InvalidRequestException extends ChecklineException
{
    /** @param array<string, string> $fields what's wrong with each field, if the service lists it */
    public function __construct(
        string $message,
        string $errorCode,
        ?int $status = null,
        ?string $requestId = null,
        public readonly array $fields = [],
    ) {
        parent::__construct($message, $errorCode, $status, $requestId);
    }
}
