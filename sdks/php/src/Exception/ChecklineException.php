<?php

declare(strict_types=1);

namespace Checkline\Exception;

/** A call without a result. Its message is the service's. */
abstract class ChecklineException extends \RuntimeException
{
    /**
     * @param string $errorCode the service's stable name for the error, or UNEXPECTED_RESPONSE, TIMEOUT, or
     *     CONNECTION_FAILED
     * @param int|null $status the HTTP status; null without one. Also getCode(), where it's then 0
     * @param string|null $requestId the response's X-Request-Id, for support
     */
    public function __construct(
        string $message,
        public readonly string $errorCode,
        public readonly ?int $status = null,
        public readonly ?string $requestId = null,
    ) {
        parent::__construct($message, $status ?? 0);
    }
}
