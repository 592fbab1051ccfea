<?php

declare(strict_types=1);

namespace Checkline;

use Checkline\Exception\ChecklineException;
use Checkline\Exception\ConnectionException;
use Checkline\Exception\InvalidRequestException;
use Checkline\Exception\VerificationFailedException;
use Checkline\Http\CurlHttpClient;
use Checkline\Http\HttpClient;
use Checkline\Http\Request;
use Checkline\Http\Response;
use Checkline\Internal\Answers;
use Checkline\Internal\Config;
use Checkline\Internal\Retries;
use Checkline\Internal\Secret;

/** Verifies phone numbers with Checkline. Stateless between calls, so one client serves a whole application. */
final class Client
{
    /** The version of this package, and of the other Checkline SDKs. */
    public const VERSION = '1.0.0';

    private const MAX_BATCH = 100;
    private const MAX_LINES = 500;
    private const MAX_BYTES = 32_768;

    private readonly Config $config;
    private readonly HttpClient $httpClient;

    /**
     * @param string|null $apiKey null for the environment variable CHECKLINE_API_KEY
     * @param string|null $baseUrl null for CHECKLINE_BASE_URL or, without it, the service's own address
     * @param float $timeout the time limit of one attempt, body included, in seconds
     * @param float $connectTimeout the time limit for opening a connection, in seconds
     * @param int $maxRetries how often to retry a call after connection errors, timeouts, 429 and 5xx
     * @param HttpClient|null $httpClient sends the requests instead of a CurlHttpClient
     * @param float $maxWait the longest Retry-After wait to accept, in seconds; if it asks for more, the
     *                       exception is thrown at once
     * @param (\Closure(ResponseInfo): void)|null $onResponse is called with each response, for logging; what it throws,
     *                                                        the call throws
     * @param float|null $deadline the time limit of a whole call, with its retries and waits, in seconds; of a list, each
     *                             request; a stream has none. A wait that doesn't fit isn't started: the exception is
     *                             thrown at once
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
        ?float $deadline = null,
    ) {
        $key = $apiKey === null ? Config::keyFromEnvironment() : new Secret($apiKey);
        $address = $baseUrl === null ? Config::baseUrlFromEnvironment() : new Secret($baseUrl);
        $apiKey = $baseUrl = null; // PHP 8.1 would show them in an exception's trace.
        $this->config = new Config(
            key: $key,
            baseUrl: $address,
            timeout: $timeout,
            connectTimeout: $connectTimeout,
            maxRetries: $maxRetries,
            userAgent: 'checkline-php/' . self::VERSION,
            maxWait: $maxWait,
            onResponse: $onResponse,
            deadline: $deadline,
        );
        $this->httpClient = $httpClient ?? new CurlHttpClient();
    }

    /**
     * Returns whether a number is valid, and its carrier.
     *
     * @param string|null $country the ISO 3166-1 alpha-2 country of a number in national format
     * @param string|null $idempotencyKey a call repeated with the same key and arguments counts once; by default
     *                                   every call has its own; 1 to 255 printable ASCII characters without spaces
     * @param string|null $expectCountry the country that you accept; it sets accepted of the full result
     * @param array<string>|null $acceptTypes the number types that you accept, such as mobile; it sets accepted too
     * @param array<string>|null $acceptLineTypes the line types that you accept, such as mobile or unknown; it sets
     *                                            accepted too
     * @param bool $rejectUnallocated whether to reject numbers in unassigned ranges; it sets accepted too
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
        ?array $acceptLineTypes = null,
        bool $rejectUnallocated = false,
    ): Verification {
        $result = $this->lookup($number, $country, $idempotencyKey, $expectCountry, $acceptTypes, $acceptLineTypes, $rejectUnallocated);
        return new Verification($result->valid, $result->carrier);
    }

    /**
     * Everything known about a number. Arguments as in verify().
     *
     * @param array<string>|null $acceptTypes
     * @param array<string>|null $acceptLineTypes
     *
     * @throws ChecklineException
     */
    public function lookup(
        string $number,
        ?string $country = null,
        ?string $idempotencyKey = null,
        ?string $expectCountry = null,
        ?array $acceptTypes = null,
        ?array $acceptLineTypes = null,
        bool $rejectUnallocated = false,
    ): LookupResult {
        $body = ['number' => $number, ...self::conditions($country, $expectCountry, $acceptTypes, $acceptLineTypes, $rejectUnallocated)];
        return Answers::one(...$this->call('/verify', $body, $idempotencyKey));
    }

    /**
     * Everything known about up to 100 numbers, in order. A number whose verification failed has its exception as its
     * item; it is not thrown. Other arguments as in verify().
     *
     * @param array<string|array{number: string, country?: ?string, expect_country?: ?string}> $numbers each on its own, or with its country and the one that you expect, such as
     *     ['number' => '020 7946 0018', 'country' => 'GB']
     * @param array<string>|null $acceptTypes
     * @param array<string>|null $acceptLineTypes
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
        ?array $acceptLineTypes = null,
        bool $rejectUnallocated = false,
    ): array {
        $conditions = self::conditions($country, $expectCountry, $acceptTypes, $acceptLineTypes, $rejectUnallocated);
        return $this->batch(array_values($numbers), 0, $conditions, $idempotencyKey);
    }

    /**
     * Everything known about any number of phone numbers, in order, as results arrive. Sends them in requests of 100,
     * one after another. Items are those of lookupBatch(); when a request fails, its exception is thrown after the
     * items of earlier requests. -1, -2 and so on are added to an idempotency key for each request.
     *
     * @param iterable<string|array{number: string, country?: ?string, expect_country?: ?string}> $numbers as in lookupBatch()
     * @param array<string>|null $acceptTypes
     * @param array<string>|null $acceptLineTypes
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
        ?array $acceptLineTypes = null,
        bool $rejectUnallocated = false,
    ): \Generator {
        $requests = $index = 0;
        $conditions = self::conditions($country, $expectCountry, $acceptTypes, $acceptLineTypes, $rejectUnallocated);
        foreach (self::chunks($numbers) as $chunk) {
            $requests++;
            $key = $idempotencyKey === null ? null : "$idempotencyKey-$requests";
            foreach ($this->batch($chunk, $index, $conditions, $key) as $item) {
                yield $index++ => $item;
            }
        }
    }

    /**
     * Everything known about any number of phone numbers, in order. Reads and sends 500 at a time, as results are
     * consumed, and keeps no more in memory; the service waits when the account's number limit is reached. An exception
     * about one number is its item. One that ends the stream is thrown after the earlier items. A connection that is cut
     * off isn't retried, since its numbers may have been counted.
     *
     * @param iterable<string|array{number: string, country?: ?string, expect_country?: ?string}> $numbers as in lookupBatch()
     * @param array<string>|null $acceptTypes
     * @param array<string>|null $acceptLineTypes
     *
     * @return \Generator<int, LookupResult|VerificationFailedException|InvalidRequestException>
     *
     * @throws ChecklineException
     */
    public function lookupStream(
        iterable $numbers,
        ?string $country = null,
        ?string $expectCountry = null,
        ?array $acceptTypes = null,
        ?array $acceptLineTypes = null,
        bool $rejectUnallocated = false,
    ): \Generator {
        $index = 0;
        $conditions = self::conditions($country, $expectCountry, $acceptTypes, $acceptLineTypes, $rejectUnallocated);
        foreach (self::parts($numbers, $conditions) as $lines) {
            foreach ($this->streamLines($lines) as $item) {
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

    /** @return array<string, mixed> the output of var_dump() and print_r() */
    public function __debugInfo(): array
    {
        return [
            'baseUrl' => $this->config->baseUrl,
            'timeout' => $this->config->timeout,
            'connectTimeout' => $this->config->connectTimeout,
            'deadline' => $this->config->deadline,
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
     * @param array<string>|null $acceptLineTypes
     *
     * @return array<string, mixed> a request's fields besides its numbers
     */
    private static function conditions(
        ?string $country,
        ?string $expectCountry,
        ?array $acceptTypes,
        ?array $acceptLineTypes,
        bool $rejectUnallocated,
    ): array {
        $typed = static fn (?array $types): ?array => $types === null
            ? null
            : array_map(static fn (string $type): string => $type, array_values($types));
        $conditions = [
            'country' => $country,
            'expect_country' => $expectCountry,
            'accept_types' => $typed($acceptTypes),
            'accept_line_types' => $typed($acceptLineTypes),
            'reject_unallocated' => $rejectUnallocated ?: null,
        ];
        return array_filter($conditions, static fn (mixed $value): bool => $value !== null);
    }

    /**
     * One request of a list.
     *
     * @param list<mixed> $numbers
     * @param int $start the position of the first number in the list
     * @param array<string, mixed> $conditions
     *
     * @return list<LookupResult|VerificationFailedException>
     *
     * @throws ChecklineException
     */
    private function batch(array $numbers, int $start, array $conditions, ?string $idempotencyKey): array
    {
        $items = [];
        foreach ($numbers as $index => $number) {
            $item = self::item($number, $start + $index);
            $items[] = count($item) > 1 ? $item : $item['number'];
        }
        [$response, $info] = $this->call('/verify/batch', ['numbers' => $items, ...$conditions], $idempotencyKey);
        return Answers::several($response, $info, count($items));
    }

    /**
     * A number of a list or stream, with the options of its own.
     *
     * @param int $index its position, from 0
     *
     * @return array{number: string, country?: string, expect_country?: string}
     *
     * @throws \InvalidArgumentException
     */
    private static function item(mixed $item, int $index): array
    {
        if (is_string($item)) {
            return ['number' => $item];
        }
        if (!is_array($item)) {
            throw new \InvalidArgumentException("numbers[$index] must be a string, or an array with number, country, and expect_country.");
        }
        $own = array_filter($item, static fn (mixed $value): bool => $value !== null);
        foreach (array_keys(array_diff_key($own, ['number' => 0, 'country' => 0, 'expect_country' => 0])) as $unknown) {
            throw new \InvalidArgumentException("numbers[$index] has number, country, and expect_country, and no $unknown.");
        }
        $texts = array_filter($own, is_string(...));
        foreach (array_keys(array_diff_key(['number' => 0] + $own, $texts)) as $wrong) {
            throw new \InvalidArgumentException("numbers[$index]['$wrong'] must be a string.");
        }
        return $texts;
    }

    /**
     * @param iterable<string|array{number: string, country?: ?string, expect_country?: ?string}> $numbers
     * @param array<string, mixed> $shared
     *
     * @return \Generator<list<string>> the lines of each request, which fit into a connection's buffers
     */
    private static function parts(iterable $numbers, array $shared): \Generator
    {
        $lines = [];
        $size = $index = 0;
        foreach ($numbers as $number) {
            $lines[] = $line = Config::json(self::item($number, $index++) + $shared) . "\n";
            $size += strlen($line);
            if (count($lines) === self::MAX_LINES || $size >= self::MAX_BYTES) {
                yield $lines;
                $lines = [];
                $size = 0;
            }
        }
        if ($lines !== []) {
            yield $lines;
        }
    }

    /**
     * The items of some lines, which are sent again after a response that allows it.
     *
     * @param list<string> $lines
     *
     * @return \Generator<LookupResult|VerificationFailedException|InvalidRequestException>
     */
    private function streamLines(array $lines): \Generator
    {
        for ($retries = 0; $lines !== []; $retries++) {
            $began = microtime(true);
            $response = $this->httpClient->send($this->config->streamRequest(implode('', $lines)));
            $info = Answers::info($response, $retries + 1, max(0.0, microtime(true) - $began));
            ($this->config->onResponse)?->__invoke($info);
            if ($response->status === 200) {
                [$items, $ending, $isUsable] = Answers::streamed($response, $info, count($lines));
                yield from $items;
                if (!$isUsable) {
                    throw Answers::exception($response);
                }
                $lines = array_slice($lines, count($items));
                $pause = $ending === null ? 0.0 : Retries::pauseInStream($ending, $this->config->maxWait);
            } else {
                $ending = $response;
                $pause = Retries::pause($response, $retries, $this->config->maxWait, random_int(0, 1_000_000) / 1_000_000);
            }
            if ($ending !== null && ($pause === null || $retries >= $this->config->maxRetries)) {
                throw Answers::exception($ending);
            }
            usleep((int) round($pause * 1_000_000));
        }
    }

    /**
     * @param iterable<string|array{number: string, country?: ?string, expect_country?: ?string}> $numbers
     *
     * @return \Generator<list<string|array{number: string, country?: ?string, expect_country?: ?string}>> the numbers, a hundred at a time
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
     * @return array{Response, ResponseInfo} the last attempt's
     *
     * @throws ConnectionException
     */
    private function call(string $path, ?array $body, ?string $idempotencyKey): array
    {
        $request = $this->config->request($path, $body, $idempotencyKey);
        $deadline = $this->config->deadline;
        $end = $deadline === null ? INF : hrtime(true) / 1e9 + $deadline;
        for ($retries = 0;; $retries++) {
            $began = microtime(true);
            $outcome = $this->attempt($deadline === null ? $request : $request->within($end - hrtime(true) / 1e9));
            if ($outcome instanceof Response) {
                $info = Answers::info($outcome, $retries + 1, max(0.0, microtime(true) - $began));
                ($this->config->onResponse)?->__invoke($info);
            }
            $pause = Retries::pause($outcome, $retries, $this->config->maxWait, random_int(0, 1_000_000) / 1_000_000);
            if ($pause === null || $retries >= $this->config->maxRetries || hrtime(true) / 1e9 + $pause >= $end) {
                break;
            }
            usleep((int) round($pause * 1_000_000));
        }
        if ($outcome instanceof ConnectionException) {
            throw $outcome;
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
