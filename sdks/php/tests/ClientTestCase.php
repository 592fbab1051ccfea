<?php

declare(strict_types=1);

namespace Checkline\Tests;

use Checkline\Client;
use PHPUnit\Framework\TestCase;

/** Shared by tests of the client. */
abstract class ClientTestCase extends TestCase
{
    protected const KEY = 'ch_test_AKeyThatMustNotBeSeen';
    protected const NUMBER = '+5511987654321';

    /** @var array<string, string> */
    private array $environment;

    protected function setUp(): void
    {
        $this->environment = array_intersect_key(getenv(), ['CHECKLINE_API_KEY' => 0, 'CHECKLINE_BASE_URL' => 0]);
        putenv('CHECKLINE_API_KEY');
        // A package served by a site has the site's address; the sources' address belongs to no one.
        putenv('CHECKLINE_BASE_URL=https://api.test');
    }

    protected function tearDown(): void
    {
        putenv('CHECKLINE_API_KEY');
        putenv('CHECKLINE_BASE_URL');
        foreach ($this->environment as $name => $value) {
            putenv("$name=$value");
        }
    }

    protected static function client(PlayingHttpClient $http, int $maxRetries = 2): Client
    {
        return new Client(self::KEY, maxRetries: $maxRetries, httpClient: $http);
    }
}
