<?php

declare(strict_types=1);

namespace Checkline;

/** What a response says beside its body. It has neither the number nor the key, so that it can be logged. */
final class ResponseInfo
{
    /**
     * @param string|null $requestId X-Request-Id, to quote to support
     * @param int $attempt which attempt of its call it came to, from 1
     * @param float $duration seconds from sending the request to the end of the body
     * @param array<string, RateLimit> $rateLimits what is left of each limit of the minute, by its name: requests and
     *                                             numbers; empty where the response does not say
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
