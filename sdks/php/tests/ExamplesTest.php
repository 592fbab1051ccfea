<?php

declare(strict_types=1);

namespace Checkline\Tests;

use Checkline\Client;
use PHPUnit\Framework\TestCase;

/** The examples of the installed package, as the documentation shows them, against the real service. */
final class ExamplesTest extends TestCase
{
    protected function setUp(): void
    {
        foreach (['CHECKLINE_CONFORMANCE_URL', 'CHECKLINE_BASE_URL', 'CHECKLINE_API_KEY'] as $name) {
            if (getenv($name) === false) {
                self::markTestSkipped("$name is not set");
            }
        }
    }

    /** @return array{string, string, int} what it printed on either stream, and its exit code */
    private static function example(string $name, ?string $key = null): array
    {
        $package = dirname((new \ReflectionClass(Client::class))->getFileName(), 2);
        $command = [PHP_BINARY, '-d', 'display_errors=stderr', "$package/examples/$name"];
        $environment = $key === null ? null : ['CHECKLINE_API_KEY' => $key] + getenv();
        $process = proc_open($command, [1 => ['pipe', 'w'], 2 => ['pipe', 'w']], $pipes, null, $environment);
        return [stream_get_contents($pipes[1]), stream_get_contents($pipes[2]), proc_close($process)];
    }

    /** @return array<string, array{string, list<string>}> */
    public static function outputs(): array
    {
        $batch = ['+5511987654321: Brazil', '+12025550109: REJECTED_SUBSCRIBER_ABSENT', '+442079460018: United Kingdom'];
        return [
            'verify' => ['verify.php', ['true Brazil TIM mobile']],
            'simple' => ['simple.php', ['valid: true, carrier: TIM']],
            'batch' => ['batch.php', $batch],
            'stream' => ['stream.php', ['+5511987654321', '+442079460018', 'REJECTED_SUBSCRIBER_ABSENT']],
            'quota' => ['quota.php', ['trial 0 1000']],
            'retry' => ['retry.php', ['Brazil']],
        ];
    }

    /**
     * @dataProvider outputs
     *
     * @param list<string> $lines
     */
    public function testExamplesPrintTheDocumentedOutput(string $name, array $lines): void
    {
        self::assertSame([implode("\n", $lines) . "\n", '', 0], self::example($name));
    }

    /**
     * @testWith ["verify.php"]
     *           ["simple.php"]
     *           ["batch.php"]
     */
    public function testExamplesPrintTheErrorAndFail(string $name): void
    {
        self::assertSame(
            ['', "INVALID_API_KEY: The API key is invalid.\n", 1],
            self::example($name, 'ch_test_notakey'),
        );
    }
}
