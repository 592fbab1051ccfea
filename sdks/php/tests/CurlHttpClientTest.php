<?php

declare(strict_types=1);

namespace Checkline\Tests;

use Checkline\Client;
use Checkline\Exception\ConnectionException;
use Checkline\Exception\InvalidRequestException;
use Checkline\Http\CurlHttpClient;
use PHPUnit\Framework\TestCase;

/** The standard HTTP client against servers of this machine. */
final class CurlHttpClientTest extends TestCase
{
    private const BODY = '{"valid": true, "carrier": "TIM"}';
    private const KEY = 'ch_test_AKeyThatMustNotBeSeen';
    private const PROXIES = [
        'http_proxy',
        'https_proxy',
        'all_proxy',
        'no_proxy',
        'HTTPS_PROXY',
        'ALL_PROXY',
        'NO_PROXY',
    ];

    protected function setUp(): void
    {
        array_map('putenv', self::PROXIES);
    }

    protected function tearDown(): void
    {
        array_map('putenv', self::PROXIES);
    }

    private static function answer(): string
    {
        return "HTTP/1.1 200 OK\r\nContent-Length: " . strlen(self::BODY) . "\r\n\r\n" . self::BODY;
    }

    /** @param array<int, mixed> $options */
    private static function client(string $baseUrl, float $timeout = 5.0, array $options = []): Client
    {
        return new Client(self::KEY, $baseUrl, $timeout, 0.5, 0, new CurlHttpClient($options));
    }

    private static function failureOf(Client $client): ConnectionException
    {
        try {
            $client->verify('+5511987654321');
        } catch (ConnectionException $failure) {
            return $failure;
        }
        self::fail('There was a response');
    }

    public function testSendsACompleteRequest(): void
    {
        $server = new Server(self::answer());
        self::assertSame('TIM', self::client("http://127.0.0.1:$server->port")->verify('+5511987654321')->carrier);
        [$head, $body] = explode("\r\n\r\n", $server->seen());
        $lines = explode("\r\n", $head);
        self::assertSame('POST /api/v1/verify HTTP/1.1', $lines[0]);
        self::assertContains('Authorization: Bearer ' . self::KEY, $lines);
        self::assertContains('Content-Type: application/json', $lines);
        self::assertSame('{"number":"+5511987654321"}', $body);
    }

    public function testALargeBodyIsSentWithoutExpectContinue(): void
    {
        $server = new Server(self::answer());
        self::client("http://127.0.0.1:$server->port")->verify(str_repeat('1', 2_000_000));
        $request = $server->seen();
        self::assertStringNotContainsStringIgnoringCase("\r\nexpect:", $request);
        self::assertGreaterThan(2_000_000, strlen($request));
    }

    public function testInterimResponseHeadersAreIgnored(): void
    {
        $rejection = '{"error": "No.", "code": "NOT_FOUND"}';
        $length = strlen($rejection);
        $server = new Server(
            "HTTP/1.1 103 Early Hints\r\nX-Request-Id: req_early\r\n\r\n"
            . "HTTP/1.1 404 Not Found\r\nContent-Length: $length\r\nx-request-ID:req_1 \r\n\r\n$rejection"
        );
        try {
            self::client("http://127.0.0.1:$server->port")->verify('1');
            self::fail('It gave a result');
        } catch (InvalidRequestException $error) {
            self::assertSame(['NOT_FOUND', 'req_1'], [$error->errorCode, $error->requestId]);
        }
    }

    /**
     * @testWith [""]
     *           ["SSH-2.0-OpenSSH\r\n\r\n"]
     *           ["HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}"]
     *           ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{}"]
     */
    public function testAnIncompleteResponseIsAFailedConnection(string $answer): void
    {
        $server = new Server($answer);
        $failure = self::failureOf(self::client("http://127.0.0.1:$server->port"));
        self::assertSame(['CONNECTION_FAILED', null], [$failure->errorCode, $failure->status]);
    }

    /**
     * @testWith [0.02]
     *           [3]
     */
    public function testSlowAndSilentResponsesTimeOut(float $interval): void
    {
        $server = new Server(self::answer() . str_repeat(' ', 200), $interval);
        $began = microtime(true);
        self::assertSame('TIMEOUT', self::failureOf(self::client("http://127.0.0.1:$server->port", 0.4))->errorCode);
        self::assertLessThan(2, microtime(true) - $began);
    }

    public function testConnectingTimesOut(): void
    {
        // With a full accept queue, connections hang, like to a host behind a firewall.
        $context = stream_context_create(['socket' => ['backlog' => 0]]);
        $flags = STREAM_SERVER_BIND | STREAM_SERVER_LISTEN;
        $listener = stream_socket_server('tcp://127.0.0.1:0', $code, $error, $flags, $context);
        $address = stream_socket_get_name($listener, false);
        $filling = [];
        for ($i = 0; $i < 8; $i++) {
            $filling[] = @stream_socket_client("tcp://$address", $code, $error, 0.1, STREAM_CLIENT_ASYNC_CONNECT);
        }
        $began = microtime(true);
        self::assertSame('TIMEOUT', self::failureOf(self::client("http://$address", 10.0))->errorCode);
        self::assertEqualsWithDelta(0.5, microtime(true) - $began, 0.4);
        self::assertCount(8, $filling);
    }

    public function testAcceptsCurlOptionsButEnforcesItsOwn(): void
    {
        $server = new Server(self::answer());
        $options = [
            CURLOPT_CONNECT_TO => ["localhost:80:127.0.0.1:$server->port"],
            CURLOPT_URL => 'http://127.0.0.1:1/',
            CURLOPT_FOLLOWLOCATION => true,
        ];
        self::client('http://localhost', options: $options)->verify('1');
        self::assertStringContainsString("\r\nHost: localhost\r\n", $server->seen());
    }

    public function testACertificateFromAnUnknownAuthorityIsRejected(): void
    {
        $pem = self::certificate();
        try {
            $server = new Server(self::answer(), 0, $pem);
            $failure = self::failureOf(self::client("https://localhost:$server->port"));
            self::assertSame('CONNECTION_FAILED', $failure->errorCode);
            self::assertSame('no TLS', $server->seen());

            $trusting = self::client("https://localhost:$server->port", options: [CURLOPT_CAINFO => $pem]);
            self::assertSame('TIM', $trusting->verify('1')->carrier);
        } finally {
            unlink($pem);
        }
    }

    public function testHttpUsesTheProxyFromTheEnvironment(): void
    {
        $server = new Server(self::answer());
        putenv("http_proxy=http://127.0.0.1:$server->port");
        self::assertSame('TIM', self::client('http://localhost')->verify('1')->carrier);
        self::assertStringStartsWith('POST http://localhost/api/v1/verify HTTP/1.1', $server->seen());
    }

    public function testATunnelingProxyDoesNotSeeTheKey(): void
    {
        $server = new Server("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n");
        putenv("https_proxy=http://127.0.0.1:$server->port");
        self::assertSame('CONNECTION_FAILED', self::failureOf(self::client('https://service.test'))->errorCode);
        $request = $server->seen();
        self::assertStringStartsWith('CONNECT service.test:443 HTTP/1.1', $request);
        self::assertStringNotContainsString(self::KEY, $request);
        self::assertStringNotContainsStringIgnoringCase('idempotency-key', $request);
    }

    /** A file with a self-signed certificate for localhost, and its key. */
    private static function certificate(): string
    {
        $key = openssl_pkey_new(['private_key_type' => OPENSSL_KEYTYPE_EC, 'curve_name' => 'prime256v1']);
        $request = openssl_csr_new(['commonName' => 'localhost'], $key);
        openssl_x509_export(openssl_csr_sign($request, null, $key, 1), $certificate);
        openssl_pkey_export($key, $private);
        $file = tempnam(sys_get_temp_dir(), 'checkline-');
        file_put_contents($file, $certificate . $private);
        return $file;
    }
}
