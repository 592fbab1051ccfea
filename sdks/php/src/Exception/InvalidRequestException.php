<?php

declare(strict_types=1);

namespace Checkline\Exception;

/** The service rejected the request (other 4xx). */
final class InvalidRequestException extends ChecklineException
{
    /** @param array<string, string> $fields what is wrong with each field, where the service says so */
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
