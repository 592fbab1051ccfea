<?php

declare(strict_types=1);

namespace Checkline\Tests\Conformance;

use PHPUnit\Framework\TestCase;

/**
 * Every case of the conformance suite; sdks/conformance/README.md documents the protocol. carry-out.php makes the
 * calls.
 */
final class ConformanceTest extends TestCase
{
    private const AT_A_TIME = 8;

    /** @var list<array<string, mixed>> */
    private static array $cases = [];

    /** @var array<string, \stdClass>|null */
    private static ?array $reports = null;

    /** @return array<string, array{string}> ids of cases, by what is shown of them */
    public static function cases(): array
    {
        if (getenv('CHECKLINE_CONFORMANCE_URL') === false) {
            return ['no suite' => ['']];
        }
        self::$cases = self::exchange('')['cases'];
        $names = array_map(static fn (array $case): string => "$case[id]: $case[title]", self::$cases);
        return array_combine($names, array_map(static fn (array $case): array => [$case['id']], self::$cases));
    }

    /** @dataProvider cases */
    public function testCase(string $id): void
    {
        if ($id === '') {
            self::markTestSkipped('CHECKLINE_CONFORMANCE_URL is not set');
        }
        self::$reports ??= self::carryOut(self::$cases);
        self::assertArrayHasKey($id, self::$reports);
        $judged = self::exchange("/$id", self::$reports[$id]);
        self::assertSame([], $judged['problems']);
    }

    /**
     * Runs the cases in several processes.
     *
     * @param list<array<string, mixed>> $cases
     *
     * @return array<string, \stdClass>
     */
    private static function carryOut(array $cases): array
    {
        $processes = $outputs = [];
        for ($first = 0; $first < self::AT_A_TIME; $first++) {
            $isOwn = static fn (int $index): bool => $index % self::AT_A_TIME === $first;
            $own = array_values(array_filter($cases, $isOwn, ARRAY_FILTER_USE_KEY));
            // With function arguments in stack traces, which could contain a key.
            $command = [PHP_BINARY, '-d', 'zend.exception_ignore_args=0', __DIR__ . '/carry-out.php'];
            $processes[] = proc_open($command, [['pipe', 'r'], ['pipe', 'w'], STDERR], $pipes);
            fwrite($pipes[0], json_encode($own, JSON_THROW_ON_ERROR));
            fclose($pipes[0]);
            $outputs[] = $pipes[1];
        }
        $reports = [];
        foreach ($outputs as $output) {
            // As objects: an empty one would become a list.
            $reports += (array) json_decode(stream_get_contents($output), flags: JSON_THROW_ON_ERROR);
        }
        array_map('proc_close', $processes);
        return $reports;
    }

    /**
     * @return array<string, mixed>
     */
    private static function exchange(string $path, ?\stdClass $body = null): array
    {
        $options = ['timeout' => 60, 'header' => 'Content-Type: application/json'];
        if ($body !== null) {
            $options += ['method' => 'POST', 'content' => json_encode($body, JSON_THROW_ON_ERROR)];
        }
        $url = getenv('CHECKLINE_CONFORMANCE_URL') . "/php$path";
        $answer = file_get_contents($url, context: stream_context_create(['http' => $options]));
        return json_decode($answer, true, flags: JSON_THROW_ON_ERROR);
    }
}
