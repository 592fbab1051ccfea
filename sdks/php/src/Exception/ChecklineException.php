<?php

declare(strict_types=1);

namespace Checkline\Exception;

/** A call without a result. Its message is the service's. */
abstract class ChecklineException extends \RuntimeException
{
    /**
     * @param string $errorCode the service's stable name for what happened, or UNEXPECTED_RESPONSE, TIMEOUT or
     *                          CONNECTION_FAILED
     * @param int|null $status the HTTP status; null without a response of the error's own. Also getCode(), as 0 then
     * @param string|null $requestId names the response to support
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
