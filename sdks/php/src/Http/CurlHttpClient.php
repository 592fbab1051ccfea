<?php

declare(strict_types=1);

namespace Checkline\Http;

use Checkline\Exception\ConnectionException;

/**
 * The default HTTP client. Keeps connections open and reuses them, checks certificates, and uses the environment's
 * proxies like curl.
 */
final class CurlHttpClient implements HttpClient
{
    /** Not shared: its connections stay open from one request to the next. */
    private ?\CurlHandle $curl = null;

    /**
     * @param array<int, mixed> $options for curl_setopt_array(), such as CURLOPT_CAINFO; they can't override the
     * client's own
     */
    public function __construct(private readonly array $options = [])
    {
    }

    public function send(Request $request): Response
    {
        $headers = [];
        $curl = $this->curl ??= curl_init();
        curl_reset($curl);
        curl_setopt_array($curl, $this->optionsFor($request) + [
            CURLOPT_HEADERFUNCTION => static function (\CurlHandle $_, string $line) use (&$headers): int {
                if (str_starts_with($line, 'HTTP/')) {
                    $headers = []; // An interim response came before this one.
                } elseif (str_contains($line, ':')) {
                    [$name, $value] = explode(':', $line, 2);
                    $headers[$name] = trim($value);
                }
                return strlen($line);
            },
        ] + $this->options);
        $body = curl_exec($curl);
        $failure = curl_errno($curl);
        $port = parse_url($request->url, PHP_URL_PORT);
        $host = parse_url($request->url, PHP_URL_HOST) . ($port === null ? '' : ":$port");
        if ($failure === CURLE_OPERATION_TIMEDOUT) {
            throw ConnectionException::timeout($host);
        }
        if ($failure !== CURLE_OK || !is_string($body)) {
            // Not curl_error(): it may quote what was sent or received.
            throw ConnectionException::failed(curl_strerror($failure) ?? "curl's error $failure", $host);
        }
        return new Response(curl_getinfo($curl, CURLINFO_RESPONSE_CODE), $headers, $body);
    }

    /** @return array<int, mixed> */
    private function optionsFor(Request $request): array
    {
        $lines = ['Expect:']; // Otherwise curl asks first whether it may send a larger body.
        foreach ($request->headers() as $name => $value) {
            $lines[] = "$name: $value";
        }
        $body = $request->method === 'GET' ? [] : [CURLOPT_POST => true, CURLOPT_POSTFIELDS => $request->body];
        $limit = $request->isStream
            ? [CURLOPT_LOW_SPEED_LIMIT => 1, CURLOPT_LOW_SPEED_TIME => (int) ceil($request->timeout)]
            : [CURLOPT_TIMEOUT_MS => self::milliseconds($request->timeout)];
        return $body + $limit + [
            CURLOPT_URL => $request->url,
            CURLOPT_HTTPHEADER => $lines,
            CURLOPT_HEADEROPT => CURLHEADER_SEPARATE, // No headers for a proxy.
            CURLOPT_SUPPRESS_CONNECT_HEADERS => true,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_CONNECTTIMEOUT_MS => self::milliseconds($request->connectTimeout),
            CURLOPT_NOSIGNAL => true, // Otherwise limits below a second fail immediately with some resolvers.
        ];
    }

    /** At least one: zero would mean no limit. */
    private static function milliseconds(float $seconds): int
    {
        return max(1, (int) ceil(min($seconds, 1e6) * 1000));
    }
}
