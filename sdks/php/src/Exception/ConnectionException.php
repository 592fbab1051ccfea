<?php

declare(strict_types=1);

namespace Checkline\Exception;

/**
 * There was no complete response: the code is TIMEOUT or CONNECTION_FAILED.
 *
 * Has no previous exception: an HTTP library's could contain the request with its key.
 */
final class ConnectionException extends ChecklineException
{
    private function __construct(string $message, string $errorCode)
    {
        parent::__construct($message, $errorCode);
    }

    /** The attempt, or opening the connection, took too long. */
    public static function timeout(string $host = 'the service'): self
    {
        return new self("No complete response from $host in time.", 'TIMEOUT');
    }

    /** @param string $reason a few words, for example "Could not connect to server" */
    public static function failed(string $reason, string $host = 'the service'): self
    {
        return new self("The connection to $host failed ($reason).", 'CONNECTION_FAILED');
    }
}
