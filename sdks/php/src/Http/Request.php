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

    /**
     * The same request with time limits of at most what is left of its call.
     *
     * @internal
     */
    public function within(float $seconds): self
    {
        $left = max($seconds, 0.001);
        return new self(
            url: $this->url,
            body: $this->body,
            connectTimeout: min($this->connectTimeout, $left),
            timeout: min($this->timeout, $left),
            otherHeaders: $this->otherHeaders,
            key: $this->key,
            method: $this->method,
            isStream: $this->isStream,
        );
    }

    /** @return array<string, string> the headers to send, by their names */
    public function headers(): array
    {
        return ['Authorization' => 'Bearer ' . $this->key->reveal()] + $this->otherHeaders;
    }
}
