<?php

declare(strict_types=1);

namespace Checkline\Internal;

use Checkline\Exception\ConnectionException;
use Checkline\Http\Response;

/**
 * When an attempt is made again.
 *
 * @internal
 */
final class Retries
{
    private const FIRST_PAUSE = 0.5;
    private const LONGEST_PAUSE = 8.0;
    private const LONGEST_RETRY_AFTER = 30;

    /**
     * Seconds until the next attempt after a number of retries, or null when this outcome is not tried again.
     *
     * @param float $random from 0 to 1
     */
    public static function pause(Response|ConnectionException $outcome, int $retries, float $random): ?float
    {
        if ($outcome instanceof Response) {
            $status = $outcome->status;
            if ($status !== 429 && ($status < 500 || $status > 599)) {
                return null;
            }
            $asked = $status === 429 || $status === 503 ? self::retryAfter($outcome) : null;
            if ($asked !== null) {
                return $asked <= self::LONGEST_RETRY_AFTER ? (float) $asked : null;
            }
        }
        $longest = min(self::LONGEST_PAUSE, self::FIRST_PAUSE * 2 ** min($retries, 10));
        return $longest * (1 + $random) / 2;
    }

    /** The seconds of Retry-After; null where it is absent or something else than 1 to 9 digits. */
    public static function retryAfter(Response $response): ?int
    {
        $value = trim($response->header('Retry-After') ?? '');
        return preg_match('/^[0-9]{1,9}$/D', $value) === 1 ? (int) $value : null;
    }
}
