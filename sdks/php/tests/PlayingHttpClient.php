<?php

declare(strict_types=1);

namespace Checkline\Tests;

use Checkline\Http\HttpClient;
use Checkline\Http\Request;
use Checkline\Http\Response;

/** Plays back responses and records requests. */
final class PlayingHttpClient implements HttpClient
{
    public const RESULT = ['valid' => true, 'number' => '+5511987654321', 'carrier' => 'TIM'];

    /** @var list<Request> */
    public array $requests = [];

    /** @var list<Response|\Throwable> */
    private array $played;

    public function __construct(Response|\Throwable ...$played)
    {
        $this->played = $played;
    }

    /** @param array<string, string> $headers */
    public static function answer(int $status = 200, mixed $body = self::RESULT, array $headers = []): Response
    {
        return new Response($status, $headers, json_encode($body, JSON_THROW_ON_ERROR));
    }

    public function send(Request $request): Response
    {
        $this->requests[] = $request;
        $next = array_shift($this->played);
        return $next instanceof Response ? $next : throw $next ?? new \LogicException('One request too many');
    }
}
