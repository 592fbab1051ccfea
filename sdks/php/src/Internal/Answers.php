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
        return Results::read(self::data($response), $info) ?? throw self::exception($response);
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
        $results = self::data($response)->results ?? null;
        if (!is_array($results) || count($results) !== $count) {
            throw self::exception($response);
        }
        return array_map(
            static fn (mixed $item): LookupResult|VerificationFailedException =>
                self::item($item, $info) ?? throw self::exception($response),
            $results,
        );
    }

    /**
     * The items of a stream's response, in order, the line that ended it early as the response to a single call, and
     * whether everything in between could be used.
     *
     * @return array{list<LookupResult|VerificationFailedException|InvalidRequestException>, ?Response, bool}
     */
    public static function streamed(Response $response, ResponseInfo $info, int $count): array
    {
        $items = [];
        foreach (explode("\n", $response->body) as $line) {
            if (trim($line) === '') {
                continue;
            }
            $data = json_decode($line);
            if (!$data instanceof \stdClass) {
                return [$items, null, false];
            }
            $item = Results::read($data, $info);
            $single = $item === null ? self::lineResponse($data, $line, $info) : null;
            if ($single !== null && Fields::flag($data, 'ended') === true) {
                return [$items, $single, true];
            }
            $item ??= self::exception($single);
            $isItem = $item instanceof LookupResult
                || $item instanceof VerificationFailedException
                || $item instanceof InvalidRequestException;
            if (!$isItem || count($items) === $count) {
                return [$items, null, false];
            }
            $items[] = $item;
        }
        return [$items, null, count($items) === $count];
    }

    /** A line's error, as the response to a single call. */
    private static function lineResponse(\stdClass $data, string $line, ResponseInfo $info): Response
    {
        $wait = Fields::count($data, 'retry_after');
        $headers = ['X-Request-Id' => $info->requestId, 'Retry-After' => $wait === null ? null : (string) $wait];
        $status = Fields::count($data, 'http_status') ?? $info->status;
        return new Response($status, array_filter($headers, 'is_string'), $line);
    }

    /** Returns the remaining quota. @throws ChecklineException */
    public static function quota(Response $response): Quota
    {
        return self::figures(self::data($response)) ?? throw self::exception($response);
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
        return new ResponseInfo(
            status: $response->status,
            requestId: $response->header('X-Request-Id'),
            dataVersion: $response->header('Data-Version'),
            attempt: $attempt,
            duration: $duration,
            rateLimits: $rateLimits,
        );
    }

    /** The exception for a response that is not a success or unusable. */
    public static function exception(Response $response): ChecklineException
    {
        $status = $response->status;
        $body = self::json($response);
        [$message, $code] = [$body?->error ?? null, $body?->code ?? null];
        if ($status < 400 || !is_string($message) || !is_string($code)) {
            $redirect = $status >= 300 && $status < 400 ? ": redirects aren't followed" : '';
            $message = "Unexpected response (HTTP $status)$redirect.";
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

    /** What a response returns. With a test key, an input that is too short is a 400 with its result. */
    private static function data(Response $response): mixed
    {
        return match ($response->status) {
            200 => self::json($response),
            400 => self::json($response)->result ?? null,
            default => null,
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
