<?php

declare(strict_types=1);

namespace Checkline\Tests;

use Checkline\Deliverability;
use Checkline\Exception\InvalidRequestException;
use Checkline\Exception\ServerException;
use Checkline\Exception\VerificationFailedException;
use Checkline\Http\Response;
use Checkline\LookupResult;

final class AnswersTest extends ClientTestCase
{
    public function testABatchKeepsItsOrderAndErrors(): void
    {
        $rejected = ['number' => 'b', 'error' => 'verification failed: x', 'code' => 'REJECTED'];
        $body = ['results' => [['valid' => true], $rejected, ['valid' => false]]];
        $http = new PlayingHttpClient(PlayingHttpClient::answer(body: $body, headers: ['X-Request-Id' => 'req_1']));
        $items = self::client($http)->lookupBatch(['x' => 'a', 'y' => 'b', 'z' => 'c'], 'BR');
        self::assertSame('{"numbers":["a","b","c"],"country":"BR"}', $http->requests[0]->body);
        self::assertInstanceOf(LookupResult::class, $items[0]);
        self::assertInstanceOf(VerificationFailedException::class, $items[1]);
        self::assertSame(['REJECTED', null, 'req_1'], [$items[1]->errorCode, $items[1]->status, $items[1]->requestId]);
        self::assertFalse($items[2]->valid);
    }

    /**
     * @testWith [[]]
     *           ["valid"]
     *           [null]
     *           [{"error": 1, "code": "X"}]
     *           [{"error": null}]
     *           [{"valid": "true"}]
     */
    public function testAnInvalidItemFailsTheBatch(mixed $item): void
    {
        $this->expectException(ServerException::class);
        $body = ['results' => [$item]];
        self::client(new PlayingHttpClient(PlayingHttpClient::answer(body: $body)))->lookupBatch(['a']);
    }

    public function testAnItemIsAnErrorIfErrorIsAString(): void
    {
        $items = [['valid' => true, 'error' => 'x'], ['error' => 'x', 'code' => 7], ['valid' => true, 'error' => null]];
        $http = new PlayingHttpClient(PlayingHttpClient::answer(body: ['results' => $items]));
        [$first, $second, $third] = self::client($http)->lookupBatch(['a', 'b', 'c']);
        foreach ([$first, $second] as $error) {
            self::assertInstanceOf(VerificationFailedException::class, $error);
            self::assertSame(['UNEXPECTED_RESPONSE', 'x'], [$error->errorCode, $error->getMessage()]);
        }
        self::assertInstanceOf(LookupResult::class, $third);
    }

    /**
     * @testWith [201]
     *           [204]
     *           [299]
     *           [304]
     */
    public function testOnlyA200HasAResult(int $status): void
    {
        $body = ['valid' => true, 'error' => 'x', 'code' => 'X'];
        $http = new PlayingHttpClient(PlayingHttpClient::answer($status, $body));
        try {
            self::client($http)->lookup(self::NUMBER);
            self::fail('It gave a result');
        } catch (ServerException $error) {
            self::assertSame(['UNEXPECTED_RESPONSE', $status], [$error->errorCode, $error->status]);
        }
    }

    /**
     * @testWith ["{\"valid\": true, \"later\": NaN}"]
     *           ["\ufeff{\"valid\": true}"]
     *           ["{\"VALID\": true}"]
     *           ["{\"valid\": 1}"]
     *           ["[{\"valid\": true}]"]
     *           ["null"]
     */
    public function testInvalidJsonOrAMissingValidIsAnError(string $body): void
    {
        $this->expectException(ServerException::class);
        self::client(new PlayingHttpClient(new Response(200, [], $body)))->lookup(self::NUMBER);
    }

    public function testUnknownFieldsMayBeNestedDeeply(): void
    {
        $later = str_repeat('[', 100) . str_repeat(']', 100);
        $http = new PlayingHttpClient(new Response(200, [], "{\"valid\": true, \"later\": $later}"));
        self::assertTrue(self::client($http)->lookup(self::NUMBER)->valid);
    }

    public function testObjectsAndListsAreDistinct(): void
    {
        $answer = '{"valid": true, "time_zones": {"0": "UTC"}, "deliverability": {}}';
        $result = self::client(new PlayingHttpClient(new Response(200, [], $answer)))->lookup(self::NUMBER);
        self::assertSame([], $result->timeZones);
        self::assertEquals(new Deliverability('unknown', 'unknown', []), $result->deliverability);
    }

    public function testFieldsOfTheWrongTypeAreIgnored(): void
    {
        $body = ['valid' => true, 'carrier' => 7, 'possible' => 1, 'time_zones' => ['UTC', 1], 'deliverability' => []];
        $result = self::client(new PlayingHttpClient(PlayingHttpClient::answer(body: $body)))->lookup(self::NUMBER);
        self::assertSame([null, true, ['UTC']], [$result->carrier, $result->possible, $result->timeZones]);
        self::assertEquals(new Deliverability('unknown', 'unknown', []), $result->deliverability);
    }

    public function testJsonNestedTooDeeplyIsAnError(): void
    {
        $this->expectException(ServerException::class);
        $deep = new Response(200, [], str_repeat('[', 100_000));
        self::client(new PlayingHttpClient($deep))->lookup(self::NUMBER);
    }

    public function testAnErrorHasAllDetails(): void
    {
        $fields = ['country' => 'x', 'number' => 1];
        $body = ['error' => 'A sentence.', 'code' => 'VALIDATION_FAILED', 'fields' => $fields];
        $http = new PlayingHttpClient(PlayingHttpClient::answer(400, $body, ['x-request-id' => 'req_1']));
        try {
            self::client($http)->lookup(self::NUMBER, 'Brazil');
            self::fail('It gave a result');
        } catch (InvalidRequestException $error) {
            $told = [$error->getMessage(), $error->errorCode, $error->status, $error->getCode(), $error->requestId];
            self::assertSame(['A sentence.', 'VALIDATION_FAILED', 400, 400, 'req_1'], $told);
            self::assertSame(['country' => 'x'], $error->fields);
        }
    }
}
