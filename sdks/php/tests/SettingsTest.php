<?php

declare(strict_types=1);

namespace Checkline\Tests;

use Checkline\Client;

final class SettingsTest extends ClientTestCase
{
    public function testDefaultsReachTheHttpClient(): void
    {
        $http = new PlayingHttpClient(PlayingHttpClient::answer());
        self::client($http)->verify(self::NUMBER);
        $request = $http->requests[0];
        self::assertSame('https://api.test/api/v1/verify', $request->url);
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
    public function testAMissingKeyIsReportedImmediately(?string $key): void
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
    public function testAnInvalidKeyIsRejectedWithoutBeingShown(string $ending): void
    {
        try {
            new Client(self::KEY . $ending);
            self::fail('It was taken');
        } catch (\InvalidArgumentException $rejection) {
            self::assertStringNotContainsString(self::KEY, print_r($rejection, true));
        }
    }

    /**
     * @testWith [""]
     *           ["checkline.test"]
     *           ["ftp://checkline.test"]
     *           ["http://checkline.test"]
     *           ["http://localhost.test"]
     *           ["http://127.0.0.1.test"]
     *           ["http://127.0.0.2"]
     *           ["http://[::2]"]
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
        $this->expectExceptionMessage('The base URL must be');
        new Client(self::KEY, $baseUrl);
    }

    public function testABaseUrlWithAPasswordIsRejectedWithoutBeingShown(): void
    {
        $before = ini_set('zend.exception_ignore_args', '0');
        try {
            new Client(self::KEY, 'https://me:secret@h');
            self::fail('It was taken');
        } catch (\InvalidArgumentException $rejection) {
            self::assertStringContainsString('The base URL must be', $rejection->getMessage());
            self::assertStringNotContainsString('me:secret', print_r($rejection, true) . $rejection);
        } finally {
            ini_set('zend.exception_ignore_args', $before);
        }
    }

    /**
     * @testWith ["https://h/a//b"]
     *           ["HTTP://LOCALHOST:8787"]
     *           ["http://[::1]:"]
     *           ["https://h/a:"]
     *           ["https://api/v1"]
     *           ["http://127.0.0.1"]
     *           ["https://h/my-api/v1"]
     */
    public function testTrailingSlashesAndTheApiPathInTheBaseUrlAreIgnored(string $baseUrl): void
    {
        foreach (['', '/', '///', '/api/v1', '/API/v1/', '//api/v1//'] as $end) {
            $http = new PlayingHttpClient(PlayingHttpClient::answer());
            (new Client(self::KEY, "$baseUrl$end", httpClient: $http))->verify(self::NUMBER);
            self::assertSame("$baseUrl/api/v1/verify", $http->requests[0]->url);
        }
    }

    /**
     * @testWith ["timeout", 0]
     *           ["connectTimeout", -1]
     *           ["maxRetries", -1]
     *           ["maxWait", -1]
     */
    public function testNumbersMustBeValid(string $name, int $value): void
    {
        $this->expectException(\InvalidArgumentException::class);
        $this->expectExceptionMessage($name);
        new Client(self::KEY, ...[$name => $value]);
    }

    /**
     * @testWith [null]
     *           ["https://checkline.example"]
     *           ["https://api.EXAMPLE:8443/api/v1"]
     */
    public function testAPlaceholderAddressIsRejected(?string $baseUrl): void
    {
        putenv('CHECKLINE_BASE_URL');
        $this->expectException(\InvalidArgumentException::class);
        $this->expectExceptionMessage('Pass baseUrl or set CHECKLINE_BASE_URL');
        new Client(self::KEY, $baseUrl);
    }

    public function testATimeoutMustFitATimer(): void
    {
        new Client(self::KEY, timeout: 2147483.647);
        foreach ([INF, NAN, 1e12, 2147483.648] as $seconds) {
            foreach (['timeout', 'connectTimeout'] as $name) {
                try {
                    new Client(self::KEY, ...[$name => $seconds]);
                    self::fail("$name was taken: $seconds");
                } catch (\InvalidArgumentException $rejection) {
                    self::assertStringStartsWith("$name must", $rejection->getMessage());
                }
            }
        }
    }

    public function testPrintedClientsAndRequestsDoNotShowTheKey(): void
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
            } catch (\LogicException $rejection) {
                self::assertStringContainsString('holds a key', $rejection->getMessage());
            }
        }
    }
}
