<?php

declare(strict_types=1);

namespace Checkline\Internal;

use Checkline\Exception\ConnectionException;
use Checkline\Http\Response;

/**
 * When to retry an attempt.
 *
 * @internal
 */
final class Retries
{
    private const FIRST_PAUSE = 0.5;
    private const LONGEST_PAUSE = 8.0;

    /**
     * Seconds until the next attempt after a number of retries, or null to give up.
     *
     * @param float $maxWait the longest Retry-After wait to accept
     * @param float $random from 0 to 1
     */
    public static function pause(
        Response|ConnectionException $outcome,
        int $retries,
        float $maxWait,
        float $random,
    ): ?float {
        if ($outcome instanceof Response) {
            $status = $outcome->status;
            if ($status !== 429 && ($status < 500 || $status > 599)) {
                return null;
            }
            $asked = $status === 429 || $status === 503 ? self::retryAfter($outcome) : null;
            if ($asked !== null) {
                return $asked <= $maxWait ? (float) $asked : null;
            }
        }
        $longest = min(self::LONGEST_PAUSE, self::FIRST_PAUSE * 2 ** min($retries, 10));
        return $longest * (1 + $random) / 2;
    }

    /** Seconds until the rest of a stream may be sent again after the line that ended it, or null to give up. */
    public static function pauseInStream(Response $ending, float $maxWait): ?float
    {
        $asked = $ending->status === 503 ? self::retryAfter($ending) : null;
        return $asked !== null && $asked <= $maxWait ? (float) $asked : null;
    }

    /** The seconds of Retry-After; null if it is absent or neither 1 to 9 digits nor a date. */
    public static function retryAfter(Response $response): ?int
    {
        $value = trim($response->header('Retry-After') ?? '');
        if (preg_match('/^[0-9]{1,9}$/D', $value) === 1) {
            return (int) $value;
        }
        $date = \DateTimeImmutable::createFromFormat('D, d M Y H:i:s \G\M\T', $value, new \DateTimeZone('UTC'));
        if ($date === false || \DateTimeImmutable::getLastErrors() !== false && array_sum(array_intersect_key(
            \DateTimeImmutable::getLastErrors(),
            ['warning_count' => 0, 'error_count' => 0],
        )) > 0) {
            return null;
        }
        return max(0, (int) ceil($date->getTimestamp() - microtime(true)));
    }
}
