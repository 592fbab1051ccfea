<?php

declare(strict_types=1);

namespace Checkline\Internal;

use Checkline\Deliverability;
use Checkline\Exception\AuthenticationException;
use Checkline\Exception\ChecklineException;
use Checkline\Exception\InvalidRequestException;
use Checkline\Exception\QuotaException;
use Checkline\Exception\RateLimitException;
use Checkline\Exception\ServerException;
use Checkline\Exception\VerificationFailedException;
use Checkline\Http\Response;
use Checkline\LookupResult;
use Checkline\ShortCode;
use Checkline\Suggestion;

/**
 * Reads answers. A field of another type than the documented one counts as absent.
 *
 * @internal
 */
final class Answers
{
    /** What the sandbox's failing scenarios have as their code. */
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
    public static function one(Response $response): LookupResult
    {
        return self::result(self::json($response)) ?? throw self::exception($response);
    }

    /**
     * The items of a batch, in order.
     *
     * @return list<LookupResult|VerificationFailedException>
     *
     * @throws ChecklineException
     */
    public static function several(Response $response, int $count): array
    {
        $results = self::json($response)?->results ?? null;
        if (!is_array($results) || count($results) !== $count) {
            throw self::exception($response);
        }
        return array_map(
            static fn (mixed $item): LookupResult|VerificationFailedException =>
                self::item($item, $response) ?? throw self::exception($response),
            $results,
        );
    }

    /** The exception for an answer that is none, or not a usable one. */
    public static function exception(Response $response): ChecklineException
    {
        $status = $response->status;
        $body = self::json($response);
        [$message, $code] = [$body?->error ?? null, $body?->code ?? null];
        if ($status < 400 || !is_string($message) || !is_string($code)) {
            $message = "The answer cannot be used (HTTP status $status).";
            $code = 'UNEXPECTED_ANSWER';
        }
        $told = [$message, $code, $status, $response->header('X-Request-Id')];
        return match (true) {
            $status === 401, $status === 403 => new AuthenticationException(...$told),
            $status === 402 => new QuotaException(...$told),
            $status === 429 => new RateLimitException(...$told, retryAfter: Retries::retryAfter($response)),
            $status === 400 && in_array($code, self::SANDBOX_CODES, true)
                => new VerificationFailedException(...$told),
            $status >= 400 && $status < 500
                => new InvalidRequestException(...$told, fields: self::fields($body?->fields ?? null)),
            default => new ServerException(...$told),
        };
    }

    /** The body; null where it is no JSON object. */
    private static function json(Response $response): ?\stdClass
    {
        $data = json_decode($response->body);
        return $data instanceof \stdClass ? $data : null;
    }

    private static function item(mixed $data, Response $response): LookupResult|VerificationFailedException|null
    {
        $message = $data instanceof \stdClass ? self::text($data, 'error') : null;
        if ($message === null) {
            return self::result($data);
        }
        $code = self::text($data, 'code') ?? 'UNEXPECTED_ANSWER';
        return new VerificationFailedException($message, $code, requestId: $response->header('X-Request-Id'));
    }

    private static function result(mixed $data): ?LookupResult
    {
        $valid = $data instanceof \stdClass ? self::flag($data, 'valid') : null;
        if ($valid === null) {
            return null;
        }
        $deliverability = $data->deliverability ?? null;
        $suggestion = $data->suggestion ?? null;
        $shortCode = $data->short_code ?? null;
        return new LookupResult(
            valid: $valid,
            number: self::text($data, 'number'),
            localFormat: self::text($data, 'local_format'),
            internationalFormat: self::text($data, 'international_format'),
            countryPrefix: self::text($data, 'country_prefix'),
            countryCode: self::text($data, 'country_code'),
            countryName: self::text($data, 'country_name'),
            location: self::text($data, 'location'),
            carrier: self::text($data, 'carrier'),
            lineType: self::text($data, 'line_type'),
            numberType: self::text($data, 'number_type'),
            extension: self::text($data, 'extension'),
            possible: self::flag($data, 'possible'),
            reason: self::text($data, 'reason'),
            timeZones: self::texts($data, 'time_zones'),
            carrierSource: self::text($data, 'carrier_source'),
            numberPortability: self::flag($data, 'number_portability'),
            deliverability: $deliverability instanceof \stdClass ? new Deliverability(
                sms: self::text($deliverability, 'sms'),
                voice: self::text($deliverability, 'voice'),
                flags: self::texts($deliverability, 'flags'),
            ) : null,
            reachability: self::text($data, 'reachability'),
            suggestion: $suggestion instanceof \stdClass ? new Suggestion(
                number: self::text($suggestion, 'number'),
                reason: self::text($suggestion, 'reason'),
            ) : null,
            shortCode: $shortCode instanceof \stdClass ? new ShortCode(
                cost: self::text($shortCode, 'cost'),
                emergency: self::flag($shortCode, 'emergency'),
            ) : null,
            accepted: self::flag($data, 'accepted'),
            rejectedBecause: self::text($data, 'rejected_because'),
            status: self::text($data, 'status'),
        );
    }

    private static function text(\stdClass $data, string $name): ?string
    {
        $value = $data->$name ?? null;
        return is_string($value) ? $value : null;
    }

    private static function flag(\stdClass $data, string $name): ?bool
    {
        $value = $data->$name ?? null;
        return is_bool($value) ? $value : null;
    }

    /** @return list<string> */
    private static function texts(\stdClass $data, string $name): array
    {
        $value = $data->$name ?? null;
        return is_array($value) ? array_values(array_filter($value, 'is_string')) : [];
    }

    /** @return array<string, string> */
    private static function fields(mixed $fields): array
    {
        return $fields instanceof \stdClass ? array_filter((array) $fields, 'is_string') : [];
    }
}
