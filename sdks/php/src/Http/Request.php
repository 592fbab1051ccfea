<?php

declare(strict_types=1);

namespace Checkline\Http;

use Checkline\Internal\Secret;

/** One attempt. The key is only in the result of headers(), and in nothing printed or exported. */
final class Request
{
    /**
     * @param string $body JSON; empty for a GET
     * @param string $method POST or GET
     * @param float $connectTimeout seconds for opening the connection
     * @param float $timeout seconds for the entire attempt, from opening the connection to the end of the body
     * @param bool $isStream whether the timeout restarts with every byte of the response: the service may hold back a
     *                       stream's lines
     * @param array<string, string> $otherHeaders all headers but Authorization
     *
     * @internal
     */
    public function __construct(
        public readonly string $url,
        public readonly string $body,
        public readonly float $connectTimeout,
        public readonly float $timeout,
        private readonly array $otherHeaders,
        private readonly Secret $key,
        public readonly string $method = 'POST',
        public readonly bool $isStream = false,
    ) {
    }

    /** @return array<string, string> the headers to send, by their names */
    public function headers(): array
    {
        return ['Authorization' => 'Bearer ' . $this->key->reveal()] + $this->otherHeaders;
    }
}
