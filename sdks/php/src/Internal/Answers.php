<?php

declare(strict_types=1);

namespace Checkline\Internal;

use Checkline\Exception\AuthenticationException;
use Checkline\Exception\ChecklineException;
use Checkline\Exception\InvalidRequestException;
use Checkline\Exception\QuotaException;
use Checkline\Exception\RateLimitException;
use Checkline\Exception\ServerException;
use Checkline\Exception\VerificationFailedException;
use Checkline\Http\Response;
use Checkline\LookupResult;
use Checkline\Quota;
use Checkline\RateLimit;
use Checkline\ResponseInfo;

/**
 * Parses responses.
 *
 * @internal
 */
final class Answers
{
    /** The codes of the sandbox's failing scenarios. */
    private const SANDBOX_CODES = [
        'REJECTED_NETWORK',
        'REJECTED_FORMAT',
        'REJECTED_PREFIX_MISSING',
        'REJECTED_SUBSCRIBER_ABSENT',
        'REJECTED_UNKNOWN_SUBSCRIBER',
        'REJECTED_UNDELIVERABLE',
        'UNDELIVERABLE_NOT_DELIVERED',
        'TEMPORARY_FAILURE',
        'SERVICE_UNAVAILABLE',
    ];

    /** The result of one number. @throws ChecklineException */
    public static function one(Response $response, ResponseInfo $info): LookupResult
    {
        return Results::read(self::json($response), $info) ?? throw self::exception($response);
    }

    /**
     * The items of a batch, in order.
     *
     * @return list<LookupResult|VerificationFailedException>
     *
     * @throws ChecklineException
     */
    public static function several(Response $response, ResponseInfo $info, int $count): array
    {
        $results = self::json($response)?->results ?? null;
        if (!is_array($results) || count($results) !== $count) {
            throw self::exception($response);
        }
        return array_map(
            static fn (mixed $item): LookupResult|VerificationFailedException =>
                self::item($item, $info) ?? throw self::exception($response),
            $results,
        );
    }

    /** Returns the remaining quota. @throws ChecklineException */
    public static function quota(Response $response): Quota
    {
        return self::figures(self::json($response)) ?? throw self::exception($response);
    }

    /** A response's metadata. */
    public static function info(Response $response, int $attempt, float $duration): ResponseInfo
    {
        // "requests";r=59;t=60, "numbers";r=599;t=60
        $pattern = '/"(\w+)";r=([0-9]{1,15});t=([0-9]{1,15})(?![0-9])/';
        preg_match_all($pattern, $response->header('RateLimit') ?? '', $limits, PREG_SET_ORDER);
        $rateLimits = [];
        foreach ($limits as [, $name, $remaining, $seconds]) {
            $rateLimits[$name] = new RateLimit((int) $remaining, (int) $seconds);
        }
        return new ResponseInfo($response->status, $response->header('X-Request-Id'), $attempt, $duration, $rateLimits);
    }

    /** The exception for a response that is not a success or unusable. */
    public static function exception(Response $response): ChecklineException
    {
        $status = $response->status;
        $body = self::json($response);
        [$message, $code] = [$body?->error ?? null, $body?->code ?? null];
        if ($status < 400 || !is_string($message) || !is_string($code)) {
            $message = "The response cannot be used (HTTP status $status).";
            $code = 'UNEXPECTED_RESPONSE';
        }
        $told = [$message, $code, $status, $response->header('X-Request-Id')];
        return match (true) {
            $status === 401, $status === 403 => new AuthenticationException(...$told),
            $status === 402 => new QuotaException(...$told, quota: self::figures($body?->quota ?? null)),
            $status === 429 => new RateLimitException(...$told, retryAfter: Retries::retryAfter($response)),
            $status === 400 && in_array($code, self::SANDBOX_CODES, true)
                => new VerificationFailedException(...$told),
            $status >= 400 && $status < 500
                => new InvalidRequestException(...$told, fields: self::fields($body?->fields ?? null)),
            default => new ServerException(...$told),
        };
    }

    /** The body; null if it is not a JSON object. */
    private static function json(Response $response): ?\stdClass
    {
        $data = json_decode($response->body);
        return $data instanceof \stdClass ? $data : null;
    }

    private static function item(mixed $data, ResponseInfo $info): LookupResult|VerificationFailedException|null
    {
        $message = $data instanceof \stdClass ? Fields::text($data, 'error') : null;
        if ($message === null) {
            return Results::read($data, $info);
        }
        $code = Fields::text($data, 'code') ?? 'UNEXPECTED_RESPONSE';
        return new VerificationFailedException($message, $code, requestId: $info->requestId);
    }

    private static function figures(mixed $data): ?Quota
    {
        $used = $data instanceof \stdClass ? Fields::count($data, 'used') : null;
        return $used === null ? null : new Quota(
            plan: Fields::text($data, 'plan'),
            limit: Fields::count($data, 'limit'),
            used: $used,
            remaining: Fields::count($data, 'remaining'),
            resetsAt: Fields::text($data, 'resets_at'),
            keyCap: self::figures($data->key_cap ?? null),
        );
    }

    /** @return array<string, string> */
    private static function fields(mixed $fields): array
    {
        return $fields instanceof \stdClass ? array_filter((array) $fields, 'is_string') : [];
    }
}
