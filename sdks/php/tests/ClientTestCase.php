<?php

declare(strict_types=1);

namespace Checkline\Tests;

use Checkline\Client;
use PHPUnit\Framework\TestCase;

/** What tests of the client have in common. */
abstract class ClientTestCase extends TestCase
{
    protected const KEY = 'ch_test_AKeyThatMustNotBeSeen';
    protected const NUMBER = '+5511987654321';

    protected static function client(PlayingHttpClient $http, int $maxRetries = 2): Client
    {
        return new Client(self::KEY, maxRetries: $maxRetries, httpClient: $http);
    }
}
