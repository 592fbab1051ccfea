<?php

declare(strict_types=1);

namespace Checkline\Http;

/** A response of any status, with its complete body. */
final class Response
{
    /** @var array<string, string> */
    private readonly array $headers;

    /** @param array<string, string> $headers by their names, in any case */
    public function __construct(
        public readonly int $status,
        array $headers,
        public readonly string $body,
    ) {
        $this->headers = array_change_key_case($headers);
    }

    /** The value of a header; null if absent. */
    public function header(string $name): ?string
    {
        return $this->headers[strtolower($name)] ?? null;
    }
}
