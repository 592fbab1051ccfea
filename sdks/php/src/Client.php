<?php

declare(strict_types=1);

namespace Checkline;

use Checkline\Exception\ChecklineException;
use Checkline\Exception\ConnectionException;
use Checkline\Exception\VerificationFailedException;
use Checkline\Http\CurlHttpClient;
use Checkline\Http\HttpClient;
use Checkline\Http\Request;
use Checkline\Http\Response;
use Checkline\Internal\Answers;
use Checkline\Internal\Config;
use Checkline\Internal\Retries;
use Checkline\Internal\Secret;

/**
 * Verifies phone numbers with Checkline. It keeps no state between calls, so one client can serve an entire
 * application.
 */
final class Client
{
    /** The version of this package, and of the other Checkline SDKs. */
    public const VERSION = '1.0.0';

    private const MAX_BATCH = 100;

    private readonly Config $config;
    private readonly HttpClient $httpClient;

    /**
     * @param string|null $apiKey null for the one in the environment variable CHECKLINE_API_KEY
     * @param string|null $baseUrl null for CHECKLINE_BASE_URL, then the service's address
     * @param float $timeout timeout per attempt, including the body, in seconds
     * @param float $connectTimeout timeout for opening a connection, in seconds
     * @param int $maxRetries how often a call is retried after connection errors, timeouts, 429, and 5xx
     * @param HttpClient|null $httpClient sends the requests instead of a CurlHttpClient
     * @param float $maxWait the longest Retry-After to wait for, in seconds; if it's longer, the exception is thrown
     *     immediately
     * @param (\Closure(ResponseInfo): void)|null $onResponse called with each response, for logging; the call throws
     *     what it throws
     *
     * @throws \InvalidArgumentException if an argument is missing or invalid
     */
    public function __construct(
        #[\SensitiveParameter] ?string $apiKey = null,
        #[\SensitiveParameter] ?string $baseUrl = null,
        float $timeout = 10.0,
        float $connectTimeout = 5.0,
        int $maxRetries = 2,
        ?HttpClient $httpClient = null,
        float $maxWait = 60.0,
        ?\Closure $onResponse = null,
    ) {
        $key = $apiKey === null ? Config::keyFromEnvironment() : new Secret($apiKey);
        $address = $baseUrl === null ? Config::baseUrlFromEnvironment() : new Secret($baseUrl);
        $apiKey = $baseUrl = null; // PHP 8.1 would show them in the trace of an exception.
        $this->config = new Config(
            key: $key,
            baseUrl: $address,
            timeout: $timeout,
            connectTimeout: $connectTimeout,
            maxRetries: $maxRetries,
            userAgent: 'checkline-php/' . self::VERSION,
            maxWait: $maxWait,
            onResponse: $onResponse,
        );
        $this->httpClient = $httpClient ?? new CurlHttpClient();
    }

    /**
     * Returns whether a number is valid, and its carrier.
     *
     * @param string|null $country the country for a number in national format (ISO 3166-1 alpha-2)
     * @param string|null $idempotencyKey a call repeated with the same key and arguments counts once; by default every
     *     call has a new key; 1 to 255 printable ASCII characters without spaces
     * @param string|null $expectCountry the country that you accept; it sets accepted in the full result
     * @param array<string>|null $acceptTypes the number types that you accept, such as mobile; it sets accepted too
     *
     * @throws ChecklineException
     * @throws \InvalidArgumentException if the idempotency key is invalid
     */
    public function verify(
        string $number,
        ?string $country = null,
        ?string $idempotencyKey = null,
        ?string $expectCountry = null,
        ?array $acceptTypes = null,
    ): Verification {
        $result = $this->lookup($number, $country, $idempotencyKey, $expectCountry, $acceptTypes);
        return new Verification($result->valid, $result->carrier);
    }

    /**
     * Returns the full result for a number. Arguments as in verify().
     *
     * @param array<string>|null $acceptTypes
     *
     * @throws ChecklineException
     */
    public function lookup(
        string $number,
        ?string $country = null,
        ?string $idempotencyKey = null,
        ?string $expectCountry = null,
        ?array $acceptTypes = null,
    ): LookupResult {
        $body = ['number' => $number, ...self::conditions($country, $expectCountry, $acceptTypes)];
        return Answers::one(...$this->call('/verify', $body, $idempotencyKey));
    }

    /**
     * Returns the full results for up to 100 numbers, in order. If a number's verification fails, its item is the
     * exception, which isn't thrown. Other arguments as in verify().
     *
     * @param array<string> $numbers
     * @param array<string>|null $acceptTypes
     *
     * @return list<LookupResult|VerificationFailedException>
     *
     * @throws ChecklineException
     */
    public function lookupBatch(
        array $numbers,
        ?string $country = null,
        ?string $idempotencyKey = null,
        ?string $expectCountry = null,
        ?array $acceptTypes = null,
    ): array {
        $list = array_map(static fn (string $number): string => $number, array_values($numbers));
        $body = ['numbers' => $list, ...self::conditions($country, $expectCountry, $acceptTypes)];
        [$response, $info] = $this->call('/verify/batch', $body, $idempotencyKey);
        return Answers::several($response, $info, count($list));
    }

    /**
     * Yields the full results for any number of numbers, in order as they arrive. It sends requests of 100,
     * sequentially. Items are those of lookupBatch(). If a request fails, its exception is thrown after the items
     * before it. Each request appends -1, -2, and so on to an idempotency key.
     *
     * @param iterable<string> $numbers
     * @param array<string>|null $acceptTypes
     *
     * @return \Generator<int, LookupResult|VerificationFailedException>
     *
     * @throws ChecklineException
     */
    public function lookupAll(
        iterable $numbers,
        ?string $country = null,
        ?string $idempotencyKey = null,
        ?string $expectCountry = null,
        ?array $acceptTypes = null,
    ): \Generator {
        $requests = $index = 0;
        foreach (self::chunks($numbers) as $chunk) {
            $requests++;
            $key = $idempotencyKey === null ? null : "$idempotencyKey-$requests";
            foreach ($this->lookupBatch($chunk, $country, $key, $expectCountry, $acceptTypes) as $item) {
                yield $index++ => $item;
            }
        }
    }

    /**
     * Returns what remains of the account's quota and the key's cap.
     *
     * @throws ChecklineException
     */
    public function quota(): Quota
    {
        return Answers::quota($this->call('/account/quota', null, null)[0]);
    }

    /** @return array<string, mixed> what var_dump() and print_r() show */
    public function __debugInfo(): array
    {
        return [
            'baseUrl' => $this->config->baseUrl,
            'timeout' => $this->config->timeout,
            'connectTimeout' => $this->config->connectTimeout,
            'maxRetries' => $this->config->maxRetries,
            'maxWait' => $this->config->maxWait,
        ];
    }

    /** @return never */
    public function __serialize(): array
    {
        throw new \LogicException('A Checkline client cannot be serialized: it holds a key.');
    }

    /**
     * @param array<string>|null $acceptTypes
     *
     * @return array<string, mixed> what a request says beside its numbers
     */
    private static function conditions(?string $country, ?string $expectCountry, ?array $acceptTypes): array
    {
        $types = $acceptTypes === null
            ? null
            : array_map(static fn (string $type): string => $type, array_values($acceptTypes));
        $conditions = ['country' => $country, 'expect_country' => $expectCountry, 'accept_types' => $types];
        return array_filter($conditions, static fn (mixed $value): bool => $value !== null);
    }

    /**
     * @param iterable<string> $numbers
     *
     * @return \Generator<list<string>> the numbers, a hundred at a time
     */
    private static function chunks(iterable $numbers): \Generator
    {
        $chunk = [];
        foreach ($numbers as $number) {
            $chunk[] = $number;
            if (count($chunk) === self::MAX_BATCH) {
                yield $chunk;
                $chunk = [];
            }
        }
        if ($chunk !== []) {
            yield $chunk;
        }
    }

    /**
     * @param array<string, mixed>|null $body null for a GET
     *
     * @return array{Response, ResponseInfo} the last attempt's; of success
     *
     * @throws ChecklineException
     */
    private function call(string $path, ?array $body, ?string $idempotencyKey): array
    {
        $request = $this->config->request($path, $body, $idempotencyKey);
        for ($retries = 0;; $retries++) {
            $began = microtime(true);
            $outcome = $this->attempt($request);
            if ($outcome instanceof Response) {
                $info = Answers::info($outcome, $retries + 1, max(0.0, microtime(true) - $began));
                ($this->config->onResponse)?->__invoke($info);
            }
            $pause = Retries::pause($outcome, $retries, $this->config->maxWait, random_int(0, 1_000_000) / 1_000_000);
            if ($pause === null || $retries >= $this->config->maxRetries) {
                break;
            }
            usleep((int) round($pause * 1_000_000));
        }
        if ($outcome instanceof ConnectionException) {
            throw $outcome;
        }
        if ($outcome->status !== 200) {
            throw Answers::exception($outcome);
        }
        return [$outcome, $info];
    }

    private function attempt(Request $request): Response|ConnectionException
    {
        try {
            return $this->httpClient->send($request);
        } catch (ConnectionException $exception) {
            return $exception;
        }
    }
}
