<?php

declare(strict_types=1);

namespace Checkline\Tests;

/** A server on this machine in its own process; see servers/answer.php. */
final class Server
{
    public readonly int $port;

    /** @var resource */
    private $process;

    /** @var resource */
    private $output;

    public function __construct(string $answer, float $interval = 0, string ...$certificate)
    {
        $arguments = [base64_encode($answer), (string) $interval, ...$certificate];
        $command = [PHP_BINARY, __DIR__ . '/servers/answer.php', ...$arguments];
        $this->process = proc_open($command, [['file', '/dev/null', 'r'], ['pipe', 'w'], STDERR], $pipes);
        $this->output = $pipes[1];
        $this->port = (int) fgets($this->output);
    }

    /** What the next connection sent. */
    public function seen(): string
    {
        return json_decode(fgets($this->output), true, flags: JSON_THROW_ON_ERROR);
    }

    public function __destruct()
    {
        proc_terminate($this->process);
        proc_close($this->process);
    }
}
