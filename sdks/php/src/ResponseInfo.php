<?php

declare(strict_types=1);

namespace Checkline;

/** Describes a response. It contains neither the number nor the key, so you can log it. */
final class ResponseInfo
{
    /**
     * @param string|null $requestId X-Request-Id, for support
     * @param int $attempt the attempt of the call, from 1
     * @param float $duration seconds from sending the request to the end of the body
     * @param array<string, RateLimit> $rateLimits what remains of each per-minute limit, by name: requests and numbers;
     *     empty if the response has none
     */
    public function __construct(
        public readonly int $status,
        public readonly ?string $requestId,
        public readonly int $attempt,
        public readonly float $duration,
        public readonly array $rateLimits,
    ) {
    }
}
