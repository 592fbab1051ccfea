<?php

declare(strict_types=1);

namespace Checkline\Internal;

use Checkline\Http\Request;

/**
 * A client's validated settings.
 *
 * @internal
 */
final class Config
{
    private const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
    private const DEFAULT_BASE_URL = 'https://checkline.example';

    /** In seconds: the longest that timers on every platform can wait. */
    private const LONGEST_TIMEOUT = 2147483.647;

    public readonly string $baseUrl;

    /**
     * @param Secret $baseUrl secret until it is known to contain no password
     *
     * @throws \InvalidArgumentException when something is missing or invalid; shows neither key nor password
     */
    public function __construct(
        private readonly Secret $key,
        Secret $baseUrl,
        public readonly float $timeout,
        public readonly float $connectTimeout,
        public readonly int $maxRetries,
        private readonly string $userAgent,
        public readonly float $maxWait,
        public readonly ?\Closure $onResponse,
        public readonly ?float $deadline = null,
    ) {
        $value = $key->reveal();
        if ($value === '') {
            throw new \InvalidArgumentException('No API key. Pass apiKey or set CHECKLINE_API_KEY.');
        }
        if (preg_match('/^[\x21-\x7e]+$/D', $value) !== 1) {
            throw new \InvalidArgumentException('The API key has characters that no key has.');
        }
        if (!self::isWebAddress($baseUrl->reveal())) {
            $rule = 'The base URL must be an https URL without user, query, or fragment; '
                . 'http is only for localhost, 127.0.0.1, and [::1].';
            throw new \InvalidArgumentException($rule);
        }
        // Building a package for a site replaces the default with the site's address.
        if (str_ends_with(strtolower((string) parse_url($baseUrl->reveal(), PHP_URL_HOST)), '.example')) {
            $rule = "There's no service at a .example address. Pass baseUrl or set CHECKLINE_BASE_URL to yours.";
            throw new \InvalidArgumentException($rule);
        }
        // Without the API's path and trailing slashes. A host named "api" stays.
        $this->baseUrl = preg_replace('~^(https?://[^/]+.*?)(/+api/v1)?/*$~Di', '$1', $baseUrl->reveal());
        $limits = ['timeout' => $timeout, 'connectTimeout' => $connectTimeout, 'deadline' => $deadline ?? $timeout];
        foreach ($limits as $name => $seconds) {
            if (!($seconds > 0 && $seconds <= self::LONGEST_TIMEOUT)) {
                $rule = "$name must be a number of seconds above 0 and at most " . self::LONGEST_TIMEOUT . '.';
                throw new \InvalidArgumentException($rule);
            }
        }
        if (!($maxWait >= 0 && $maxWait <= self::LONGEST_TIMEOUT)) {
            $rule = 'maxWait must be a number of seconds, 0 or more and at most ' . self::LONGEST_TIMEOUT . '.';
            throw new \InvalidArgumentException($rule);
        }
        if ($maxRetries < 0) {
            throw new \InvalidArgumentException('maxRetries must be 0 or more.');
        }
    }

    /** The default base URL: the environment's, or the service's own. */
    public static function baseUrlFromEnvironment(): Secret
    {
        return new Secret(getenv('CHECKLINE_BASE_URL') ?: self::DEFAULT_BASE_URL);
    }

    /** The default key; empty if there is none. */
    public static function keyFromEnvironment(): Secret
    {
        return new Secret(getenv('CHECKLINE_API_KEY') ?: '');
    }

    /**
     * The request of one call, the same in each attempt.
     *
     * @param array<string, mixed>|null $body null for a GET
     *
     * @throws \InvalidArgumentException
     */
    public function request(string $path, ?array $body, ?string $idempotencyKey): Request
    {
        $idempotencyKey ??= 'sdk-' . bin2hex(random_bytes(16));
        if (preg_match('/^[\x21-\x7e]{1,255}$/D', $idempotencyKey) !== 1) {
            $rule = 'idempotencyKey must be 1 to 255 printable ASCII characters without spaces.';
            throw new \InvalidArgumentException($rule);
        }
        return new Request(
            url: "$this->baseUrl/api/v1$path",
            body: $body === null ? '' : self::json($body),
            connectTimeout: $this->connectTimeout,
            timeout: $this->timeout,
            otherHeaders: [
                'Accept' => 'application/json',
                'User-Agent' => $this->userAgent,
            ] + ($body === null ? [] : [
                'Content-Type' => 'application/json',
                'Idempotency-Key' => $idempotencyKey,
            ]),
            key: $this->key,
            method: $body === null ? 'GET' : 'POST',
        );
    }

    /** The request for some lines of a stream. Its timeout includes the service's keep-alive of ten seconds. */
    public function streamRequest(string $lines): Request
    {
        $type = 'application/x-ndjson';
        return new Request(
            url: "$this->baseUrl/api/v1/verify/stream",
            body: $lines,
            connectTimeout: $this->connectTimeout,
            timeout: min($this->timeout + 10.0, self::LONGEST_TIMEOUT),
            otherHeaders: ['Accept' => $type, 'User-Agent' => $this->userAgent, 'Content-Type' => $type],
            key: $this->key,
            isStream: true,
        );
    }

    /** JSON, with U+FFFD for anything that isn't UTF-8, which the service reports as not a number. */
    public static function json(mixed $value): string
    {
        return json_encode($value, JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE);
    }

    private static function isWebAddress(string $url): bool
    {
        $host = parse_url($url, PHP_URL_HOST);
        if (!is_string($host) || preg_match('~^https?://[^\x00-\x20\x7f-\xff@?#]+$~Di', $url) !== 1) {
            return false;
        }
        // Over http, anyone on the network path could read the key.
        return $host !== '' && (stripos($url, 'https:') === 0 || in_array(strtolower($host), self::LOOPBACK, true));
    }
}
