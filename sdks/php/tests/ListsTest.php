<?php

declare(strict_types=1);

namespace Checkline\Tests;

use Checkline\Client;
use Checkline\Exception\QuotaException;
use Checkline\Http\HttpClient;
use Checkline\Http\Request;
use Checkline\Http\Response;
use Checkline\LookupResult;

final class ListsTest extends ClientTestCase
{
    /** Responds to a chunk with a result for each of its numbers. */
    private static function echoing(): HttpClient
    {
        return new class () implements HttpClient {
            /** @var list<Request> */
            public array $requests = [];

            public function send(Request $request): Response
            {
                $this->requests[] = $request;
                $numbers = json_decode($request->body)->numbers;
                $results = array_map(static fn (string $n): array => ['valid' => true, 'number' => $n], $numbers);
                return PlayingHttpClient::answer(body: ['results' => $results]);
            }
        };
    }

    /** @return \Generator<string> */
    private static function numbers(int $count, ?int &$read): \Generator
    {
        for ($read = 0; $read < $count;) {
            yield '+' . $read++;
        }
    }

    public function testAListIsReadAndSentAsResultsAreConsumed(): void
    {
        $http = self::echoing();
        $client = new Client(self::KEY, httpClient: $http);
        $items = $client->lookupAll(self::numbers(201, $read), idempotencyKey: 'job');
        self::assertSame('+0', $items->current()->number);
        self::assertCount(1, $http->requests);
        self::assertLessThan(102, $read);
        $all = iterator_to_array($items);
        self::assertSame(range(0, 200), array_keys($all));
        self::assertSame('+200', $all[200]->number);
        $keys = array_map(static fn (Request $r): string => $r->headers()['Idempotency-Key'], $http->requests);
        self::assertSame(['job-1', 'job-2', 'job-3'], $keys);
    }

    public function testAnEmptyListSendsNothing(): void
    {
        $http = self::echoing();
        self::assertSame([], iterator_to_array((new Client(self::KEY, httpClient: $http))->lookupAll([])));
        self::assertSame([], $http->requests);
    }

    public function testAnUnusableNumberIsNamedByItsPosition(): void
    {
        $numbers = [...array_map(strval(...), range(0, 100)), ['number' => 7]];
        $this->expectExceptionObject(new \InvalidArgumentException("numbers[101]['number'] must be a string."));
        iterator_to_array((new Client(self::KEY, httpClient: self::echoing()))->lookupAll($numbers));
    }

    public function testAQuotaErrorHasTheQuota(): void
    {
        $quota = ['limit' => 9, 'used' => 8, 'remaining' => 1];
        $body = ['error' => 'x', 'code' => 'QUOTA_TOO_SMALL', 'quota' => $quota];
        $client = self::client(new PlayingHttpClient(PlayingHttpClient::answer(402, $body)));
        try {
            $client->lookupAll(['1'])->current();
            self::fail('It gave a result');
        } catch (QuotaException $rejection) {
            self::assertSame(1, $rejection->quota?->remaining);
        }
    }

    public function testWhatTheHookThrowsTheCallThrows(): void
    {
        $hook = static fn (): never => throw new \DomainException('mine');
        $http = new PlayingHttpClient(PlayingHttpClient::answer());
        $this->expectException(\DomainException::class);
        (new Client(self::KEY, httpClient: $http, onResponse: $hook))->lookup(self::NUMBER);
    }

    public function testAResultHasItsResponse(): void
    {
        $http = new PlayingHttpClient(PlayingHttpClient::answer(headers: ['RateLimit' => '"requests";r=5;t=6']));
        $result = self::client($http)->lookup(self::NUMBER);
        self::assertInstanceOf(LookupResult::class, $result);
        self::assertSame(5, $result->response->rateLimits['requests']->remaining);
    }
}
