<?php

declare(strict_types=1);

namespace Checkline;

/** A response's metadata. Contains neither the number nor the key, so it is safe to log. */
final class ResponseInfo
{
    /**
     * @param string|null $requestId X-Request-Id, for support requests
     * @param string|null $dataVersion Data-Version, the version of the data behind the result, such as 9.0.43+3f9c1a;
     *                                 null if there is no result
     * @param int $attempt the attempt number within its call, starting at 1
     * @param float $duration seconds from sending the request to the end of the body
     * @param array<string, RateLimit> $rateLimits what is left of each per-minute limit, by name: requests and
     *                                             numbers; empty if the response doesn't say
     */
    public function __construct(
        public readonly int $status,
        public readonly ?string $requestId,
        public readonly ?string $dataVersion,
        public readonly int $attempt,
        public readonly float $duration,
        public readonly array $rateLimits,
    ) {
    }
}
