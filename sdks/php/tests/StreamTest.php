<?php

declare(strict_types=1);

namespace Checkline\Tests;

use Checkline\Client;
use Checkline\Exception\ConnectionException;
use Checkline\Exception\ServerException;
use Checkline\Http\HttpClient;
use Checkline\Http\Request;
use Checkline\Http\Response;

final class StreamTest extends ClientTestCase
{
    /** Responds to each line with its number's result. */
    private static function echoing(): HttpClient
    {
        return new class () implements HttpClient {
            /** @var list<Request> */
            public array $requests = [];

            public function send(Request $request): Response
            {
                $this->requests[] = $request;
                $results = array_map(
                    static fn (string $line): string =>
                        json_encode(['valid' => true, 'number' => json_decode($line)->number]) . "\n",
                    explode("\n", trim($request->body)),
                );
                return new Response(200, [], implode("\n", $results));
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

    public function testNumbersAreSentAsLinesWithTheirCountries(): void
    {
        $http = self::echoing();
        $numbers = ['+1', ['number' => '2', 'country' => 'GB'], ['number' => '3']];
        $client = new Client(self::KEY, httpClient: $http);
        $items = iterator_to_array($client->lookupStream($numbers, 'US', acceptTypes: ['mobile'], acceptLineTypes: ['unknown']));
        self::assertSame(['+1', '2', '3'], array_map(static fn (object $item): string => $item->number, $items));
        $lines = array_map(
            static fn (string $line): array => json_decode($line, true),
            explode("\n", trim($http->requests[0]->body)),
        );
        $accepted = ['accept_types' => ['mobile'], 'accept_line_types' => ['unknown']];
        self::assertEquals([
            ['number' => '+1', 'country' => 'US', ...$accepted],
            ['number' => '2', 'country' => 'GB', ...$accepted],
            ['number' => '3', 'country' => 'US', ...$accepted],
        ], $lines);
        self::assertSame([true, 20.0], [$http->requests[0]->isStream, $http->requests[0]->timeout]);
        self::assertArrayNotHasKey('Idempotency-Key', $http->requests[0]->headers());
    }

    public function testASourceIsReadAsResultsAreConsumed(): void
    {
        $http = self::echoing();
        $items = (new Client(self::KEY, httpClient: $http))->lookupStream(self::numbers(1200, $read));
        self::assertSame('+0', $items->current()->number);
        self::assertSame([500, 1], [$read, count($http->requests)]);
        $all = iterator_to_array($items);
        self::assertSame(range(0, 1199), array_keys($all));
        self::assertSame('+1199', $all[1199]->number);
        self::assertCount(3, $http->requests);
    }

    public function testLongNumbersAreSentInSmallerParts(): void
    {
        $http = self::echoing();
        $client = new Client(self::KEY, httpClient: $http);
        $items = iterator_to_array($client->lookupStream(array_fill(0, 500, str_repeat('1', 240))));
        self::assertCount(500, $items);
        self::assertCount(4, $http->requests);
    }

    public function testAConnectionThatBreaksIsNotRetried(): void
    {
        $http = new PlayingHttpClient(ConnectionException::timeout());
        try {
            self::client($http)->lookupStream(['1'])->current();
            self::fail('It gave a result');
        } catch (ConnectionException $failure) {
            self::assertSame('TIMEOUT', $failure->errorCode);
        }
        self::assertCount(1, $http->requests);
    }

    /** @return list<array{string}> */
    public static function oddLines(): array
    {
        return [[''], ['7'], ['null'], ['{}'], ['no json'], ['{"valid": tr'], ["\xff"]];
    }

    /** @dataProvider oddLines */
    public function testAnUnusableLineIsAnErrorAfterTheResults(string $line): void
    {
        $http = new PlayingHttpClient(new Response(200, [], json_encode(PlayingHttpClient::RESULT) . "\n$line\n"));
        $items = self::client($http)->lookupStream(['1', '2']);
        self::assertTrue($items->current()->valid);
        $this->expectException(ServerException::class);
        $items->next();
    }

    /** @return list<array{mixed, string}> each with the start of what its message says after its position */
    public static function oddNumbers(): array
    {
        return [
            [7, ' must be a string, or'],
            [null, ' must be a string, or'],
            [[], "['number'] must be a string."],
            [['number' => 7], "['number'] must be a string."],
            [['number' => '1', 'contry' => 'US'], ' has number, country, and expect_country, and no contry.'],
            [['number' => '1', 'country' => 7], "['country'] must be a string."],
        ];
    }

    /** @dataProvider oddNumbers */
    public function testNonNumbersAreRejectedBeforeSending(mixed $odd, string $message): void
    {
        $client = new Client(self::KEY, httpClient: $http = self::echoing());
        foreach ([static fn () => $client->lookupBatch(['1', $odd]), static fn () => $client->lookupStream(['1', $odd])->current()] as $call) {
            try {
                $call();
                self::fail('It was sent');
            } catch (\InvalidArgumentException $rejection) {
                self::assertStringStartsWith("numbers[1]$message", $rejection->getMessage());
                self::assertSame([], $http->requests);
            }
        }
    }
}
