<?php

declare(strict_types=1);

namespace Checkline\Tests;

use Checkline\Exception\ConnectionException;
use Checkline\Http\Response;
use Checkline\Internal\Retries;
use PHPUnit\Framework\TestCase;

final class RetriesTest extends TestCase
{
    /**
     * @testWith [0, 0.25, 0.5]
     *           [1, 0.5, 1.0]
     *           [4, 4.0, 8.0]
     *           [5, 4.0, 8.0]
     *           [5000, 4.0, 8.0]
     */
    public function testPausesDoubleAndAreHalfRandom(int $retries, float $least, float $most): void
    {
        foreach ([new Response(500, [], ''), ConnectionException::timeout()] as $outcome) {
            self::assertSame($least, Retries::pause($outcome, $retries, 60.0, 0.0));
            self::assertSame($most, Retries::pause($outcome, $retries, 60.0, 1.0));
        }
    }

    /**
     * @testWith [429, "0", 0.0]
     *           [503, "60", 60.0]
     *           [429, "61", null]
     *           [503, " 7 ", 7.0]
     *           [429, "999999999", null]
     *           [429, "1000000000", 0.25]
     *           [503, "99999999999999999999", 0.25]
     *           [502, "30", 0.25]
     *           [429, "soon", 0.25]
     *           [429, "-1", 0.25]
     *           [429, "1.5", 0.25]
     *           [429, "Wed, 21 Oct 2015 07:28:00 GMT", 0.0]
     *           [503, "Thu, 21 Oct 2999 07:28:00 GMT", null]
     *           [429, "Wed, 99 Oct 2015 07:28:00 GMT", 0.25]
     *           [429, "Wed, 21 Oct 2015", 0.25]
     */
    public function testRetryAfterSetsThePause(int $status, string $retryAfter, ?float $pause): void
    {
        self::assertSame($pause, Retries::pause(new Response($status, ['Retry-After' => $retryAfter], ''), 0, 60.0, 0.0));
    }

    /**
     * @testWith [200]
     *           [301]
     *           [400]
     *           [401]
     *           [402]
     *           [408]
     *           [422]
     *           [600]
     */
    public function testOtherResponsesAreNotRetried(int $status): void
    {
        self::assertNull(Retries::pause(new Response($status, ['Retry-After' => '1'], ''), 0, 60.0, 0.0));
    }
}
