<?php

declare(strict_types=1);

namespace Checkline\Tests;

use Checkline\Exception\ConnectionException;
use Checkline\Exception\RateLimitException;

final class ClientTest extends ClientTestCase
{
    public function testEachCallHasADifferentIdempotencyKey(): void
    {
        $answer = PlayingHttpClient::answer();
        $soon = PlayingHttpClient::answer(503, headers: ['retry-after' => '0']);
        $http = new PlayingHttpClient($soon, $soon, $answer, $answer);
        $client = self::client($http);
        $client->lookup(self::NUMBER);
        $client->lookup(self::NUMBER);
        $keys = array_map(static fn ($request): string => $request->headers()['Idempotency-Key'], $http->requests);
        self::assertSame([$keys[0], $keys[0], $keys[0]], array_slice($keys, 0, 3));
        self::assertNotSame($keys[0], $keys[3]);
        self::assertGreaterThanOrEqual(16, strlen($keys[0]));
    }

    public function testTheCallersIdempotencyKeyIsSent(): void
    {
        $http = new PlayingHttpClient(PlayingHttpClient::answer());
        self::client($http)->lookup(self::NUMBER, idempotencyKey: 'order-7');
        self::assertSame('order-7', $http->requests[0]->headers()['Idempotency-Key']);
    }

    /**
     * @testWith [""]
     *           [" padded"]
     *           ["order 7"]
     *           ["line\n"]
     *           ["é"]
     */
    public function testAnInvalidIdempotencyKeyIsRejected(string $key): void
    {
        $this->expectException(\InvalidArgumentException::class);
        self::client(new PlayingHttpClient())->lookup(self::NUMBER, idempotencyKey: $key);
    }

    public function testAnIdempotencyKeyHasAtMost255Characters(): void
    {
        $http = new PlayingHttpClient(PlayingHttpClient::answer());
        self::client($http)->lookup(self::NUMBER, idempotencyKey: str_repeat('~', 255));
        self::assertSame(str_repeat('~', 255), $http->requests[0]->headers()['Idempotency-Key']);
        $this->expectException(\InvalidArgumentException::class);
        self::client($http)->lookup(self::NUMBER, idempotencyKey: str_repeat('~', 256));
    }

    public function testAttemptsEndAfterTheLastRetry(): void
    {
        $limited = PlayingHttpClient::answer(429, headers: ['Retry-After' => '0']);
        $http = new PlayingHttpClient($limited, $limited, $limited, $limited);
        try {
            self::client($http, maxRetries: 3)->lookup(self::NUMBER);
            self::fail('It gave a result');
        } catch (RateLimitException $error) {
            self::assertSame(0, $error->retryAfter);
        }
        self::assertCount(4, $http->requests);
    }

    public function testWaitsBetweenAttempts(): void
    {
        $http = new PlayingHttpClient(ConnectionException::failed('x'), PlayingHttpClient::answer());
        $began = microtime(true);
        self::client($http)->lookup(self::NUMBER);
        $waited = microtime(true) - $began;
        self::assertGreaterThanOrEqual(0.24, $waited);
        self::assertLessThan(1.5, $waited);
    }

    public function testOtherHttpClientExceptionsReachTheCaller(): void
    {
        $http = new PlayingHttpClient(new \DomainException('a mistake'));
        try {
            self::client($http)->lookup(self::NUMBER);
            self::fail('It gave a result');
        } catch (\DomainException) {
            self::assertCount(1, $http->requests);
        }
    }

    public function testOneNumberIsNotABatch(): void
    {
        $this->expectException(\TypeError::class);
        self::client(new PlayingHttpClient())->lookupBatch(self::NUMBER);
    }

    public function testInvalidUtf8IsLeftToTheService(): void
    {
        $http = new PlayingHttpClient(PlayingHttpClient::answer());
        self::client($http)->lookup("\xff");
        self::assertSame(['number' => "\u{fffd}"], json_decode($http->requests[0]->body, true));
    }
}
