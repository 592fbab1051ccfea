<?php

declare(strict_types=1);

namespace Checkline\Tests;

use Checkline\Client;
use Checkline\Deliverability;
use Checkline\Exception\ConnectionException;
use Checkline\Exception\InvalidRequestException;
use Checkline\Exception\RateLimitException;
use Checkline\Exception\ServerException;
use Checkline\Exception\VerificationFailedException;
use Checkline\Http\Response;
use Checkline\LookupResult;
use PHPUnit\Framework\TestCase;

final class ClientTest extends TestCase
{
    private const KEY = 'ch_test_AKeyThatMustNotBeSeen';
    private const NUMBER = '+5511987654321';

    /** @var array<string, string> */
    private array $environment;

    protected function setUp(): void
    {
        $this->environment = array_intersect_key(getenv(), ['CHECKLINE_API_KEY' => 0, 'CHECKLINE_BASE_URL' => 0]);
        putenv('CHECKLINE_API_KEY');
        putenv('CHECKLINE_BASE_URL');
    }

    protected function tearDown(): void
    {
        putenv('CHECKLINE_API_KEY');
        putenv('CHECKLINE_BASE_URL');
        foreach ($this->environment as $name => $value) {
            putenv("$name=$value");
        }
    }

    private static function client(PlayingHttpClient $http, int $maxRetries = 2): Client
    {
        return new Client(self::KEY, maxRetries: $maxRetries, httpClient: $http);
    }

    public function testDefaultsReachTheHttpClient(): void
    {
        $http = new PlayingHttpClient(PlayingHttpClient::answer());
        self::client($http)->verify(self::NUMBER);
        $request = $http->requests[0];
        self::assertSame('https://checkline.example/api/v1/verify', $request->url);
        self::assertSame([5.0, 10.0], [$request->connectTimeout, $request->timeout]);
        self::assertSame('{"number":"+5511987654321"}', $request->body);
        self::assertSame('Bearer ' . self::KEY, $request->headers()['Authorization']);
        self::assertSame('checkline-php/1.0.0', $request->headers()['User-Agent']);
    }

    public function testKeyAndBaseUrlComeFromTheEnvironment(): void
    {
        putenv('CHECKLINE_API_KEY=ch_test_FromTheEnvironment');
        putenv('CHECKLINE_BASE_URL=http://127.0.0.1:8787/');
        $http = new PlayingHttpClient(PlayingHttpClient::answer(), PlayingHttpClient::answer());
        (new Client(httpClient: $http))->verify(self::NUMBER);
        (new Client(self::KEY, 'https://api.test', httpClient: $http))->verify(self::NUMBER);
        self::assertSame('http://127.0.0.1:8787/api/v1/verify', $http->requests[0]->url);
        self::assertSame('Bearer ch_test_FromTheEnvironment', $http->requests[0]->headers()['Authorization']);
        self::assertSame('https://api.test/api/v1/verify', $http->requests[1]->url);
        self::assertSame('Bearer ' . self::KEY, $http->requests[1]->headers()['Authorization']);
    }

    /**
     * @testWith [null]
     *           [""]
     */
    public function testAMissingKeyIsToldAtOnce(?string $key): void
    {
        $this->expectException(\InvalidArgumentException::class);
        $this->expectExceptionMessage('CHECKLINE_API_KEY');
        new Client($key);
    }

    /**
     * @testWith ["\n"]
     *           ["\r\nX-Other: 1"]
     *           [" "]
     *           ["é"]
     */
    public function testAKeyThatCouldNotBeSentIsRefusedWithoutBeingShown(string $ending): void
    {
        try {
            new Client(self::KEY . $ending);
            self::fail('It was taken');
        } catch (\InvalidArgumentException $refusal) {
            self::assertStringNotContainsString(self::KEY, print_r($refusal, true));
        }
    }

    /**
     * @testWith [""]
     *           ["checkline.example"]
     *           ["ftp://checkline.example"]
     *           ["https://"]
     *           ["https://a b"]
     *           ["https://h:port"]
     *           ["https:///path"]
     *           ["https://h?query"]
     *           ["https://h#fragment"]
     *           ["https://h\n"]
     */
    public function testBaseUrlMustBeHttp(string $baseUrl): void
    {
        $this->expectException(\InvalidArgumentException::class);
        $this->expectExceptionMessage('baseUrl');
        new Client(self::KEY, $baseUrl);
    }

    public function testABaseUrlWithAPasswordIsRefusedWithoutBeingShown(): void
    {
        $before = ini_set('zend.exception_ignore_args', '0');
        try {
            new Client(self::KEY, 'https://me:secret@h');
            self::fail('It was taken');
        } catch (\InvalidArgumentException $refusal) {
            self::assertStringContainsString('baseUrl', $refusal->getMessage());
            self::assertStringNotContainsString('me:secret', print_r($refusal, true) . $refusal);
        } finally {
            ini_set('zend.exception_ignore_args', $before);
        }
    }

    /**
     * @testWith [""]
     *           ["/"]
     *           ["///"]
     */
    public function testSlashesAtTheEndOfTheBaseUrlDoNotMatter(string $slashes): void
    {
        $http = new PlayingHttpClient(PlayingHttpClient::answer());
        (new Client(self::KEY, "https://h/a//b$slashes", httpClient: $http))->verify(self::NUMBER);
        self::assertSame('https://h/a//b/api/v1/verify', $http->requests[0]->url);
    }

    /**
     * @testWith ["timeout", 0]
     *           ["connectTimeout", -1]
     *           ["maxRetries", -1]
     */
    public function testNumbersMustMakeSense(string $name, int $value): void
    {
        $this->expectException(\InvalidArgumentException::class);
        $this->expectExceptionMessage($name);
        new Client(self::KEY, ...[$name => $value]);
    }

    public function testATimeoutMustBeFinite(): void
    {
        $this->expectExceptionMessage('timeout');
        new Client(self::KEY, timeout: INF);
    }

    public function testTheKeyIsInNothingThatShowsClientOrRequest(): void
    {
        $http = new PlayingHttpClient(PlayingHttpClient::answer());
        $client = self::client($http);
        $client->verify(self::NUMBER);
        foreach ([$client, (array) $client, $http->requests[0]] as $shown) {
            ob_start();
            var_dump($shown);
            $dumped = ob_get_clean();
            self::assertStringContainsString('timeout', $dumped);
            $texts = [$dumped, print_r($shown, true), var_export($shown, true), json_encode($shown)];
            self::assertStringNotContainsString(self::KEY, implode($texts));
        }
    }

    public function testAClientOrRequestCannotBeSerialized(): void
    {
        $http = new PlayingHttpClient(PlayingHttpClient::answer());
        $client = self::client($http);
        $client->verify(self::NUMBER);
        foreach ([$client, $http->requests[0]] as $secretive) {
            try {
                serialize($secretive);
                self::fail('It was serialized');
            } catch (\LogicException $refusal) {
                self::assertStringContainsString('holds a key', $refusal->getMessage());
            }
        }
    }

    public function testACallHasOneIdempotencyKeyAndTheNextAnother(): void
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

    public function testAnOwnIdempotencyKeyIsSent(): void
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
    public function testAnIdempotencyKeyThatCouldNotBeSentIsRefused(string $key): void
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

    public function testAttemptsEndWithTheRetries(): void
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

    public function testItWaitsBetweenAttempts(): void
    {
        $http = new PlayingHttpClient(ConnectionException::failed('x'), PlayingHttpClient::answer());
        $began = microtime(true);
        self::client($http)->lookup(self::NUMBER);
        $waited = microtime(true) - $began;
        self::assertGreaterThanOrEqual(0.24, $waited);
        self::assertLessThan(1.5, $waited);
    }

    public function testOtherExceptionsOfAnHttpClientReachTheCaller(): void
    {
        $http = new PlayingHttpClient(new \DomainException('a mistake'));
        try {
            self::client($http)->lookup(self::NUMBER);
            self::fail('It gave a result');
        } catch (\DomainException) {
            self::assertCount(1, $http->requests);
        }
    }

    public function testABatchKeepsItsOrderAndItsErrors(): void
    {
        $refused = ['number' => 'b', 'error' => 'verification failed: x', 'code' => 'REJECTED'];
        $body = ['results' => [['valid' => true], $refused, ['valid' => false]]];
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
    public function testAnUnreadableItemSpoilsTheBatch(mixed $item): void
    {
        $this->expectException(ServerException::class);
        $body = ['results' => [$item]];
        self::client(new PlayingHttpClient(PlayingHttpClient::answer(body: $body)))->lookupBatch(['a']);
    }

    public function testAnItemIsAnErrorWhereverErrorIsAText(): void
    {
        $items = [['valid' => true, 'error' => 'x'], ['error' => 'x', 'code' => 7], ['valid' => true, 'error' => null]];
        $http = new PlayingHttpClient(PlayingHttpClient::answer(body: ['results' => $items]));
        [$first, $second, $third] = self::client($http)->lookupBatch(['a', 'b', 'c']);
        foreach ([$first, $second] as $error) {
            self::assertInstanceOf(VerificationFailedException::class, $error);
            self::assertSame(['UNEXPECTED_ANSWER', 'x'], [$error->errorCode, $error->getMessage()]);
        }
        self::assertInstanceOf(LookupResult::class, $third);
    }

    public function testOneNumberIsNoBatch(): void
    {
        $this->expectException(\TypeError::class);
        self::client(new PlayingHttpClient())->lookupBatch(self::NUMBER);
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
            self::assertSame(['UNEXPECTED_ANSWER', $status], [$error->errorCode, $error->status]);
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
    public function testWhatHasNoValidOrIsNoJsonIsNoAnswer(string $body): void
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

    public function testAnObjectIsNoListAndAListNoObject(): void
    {
        $answer = '{"valid": true, "time_zones": {"0": "UTC"}, "deliverability": {}}';
        $result = self::client(new PlayingHttpClient(new Response(200, [], $answer)))->lookup(self::NUMBER);
        self::assertSame([], $result->timeZones);
        self::assertEquals(new Deliverability(null, null, []), $result->deliverability);
    }

    public function testFieldsOfAnotherTypeCountAsAbsent(): void
    {
        $body = ['valid' => true, 'carrier' => 7, 'possible' => 1, 'time_zones' => ['UTC', 1], 'deliverability' => []];
        $result = self::client(new PlayingHttpClient(PlayingHttpClient::answer(body: $body)))->lookup(self::NUMBER);
        $read = [$result->carrier, $result->possible, $result->timeZones, $result->deliverability];
        self::assertSame([null, null, ['UTC'], null], $read);
    }

    public function testJsonTooDeepToReadIsAnErrorLikeAnyOther(): void
    {
        $this->expectException(ServerException::class);
        $deep = new Response(200, [], str_repeat('[', 100_000));
        self::client(new PlayingHttpClient($deep))->lookup(self::NUMBER);
    }

    public function testTextThatIsNoUtf8IsTheServicesToJudge(): void
    {
        $http = new PlayingHttpClient(PlayingHttpClient::answer());
        self::client($http)->lookup("\xff");
        self::assertSame(['number' => "\u{fffd}"], json_decode($http->requests[0]->body, true));
    }

    public function testAnErrorTellsAllThatIsKnown(): void
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
