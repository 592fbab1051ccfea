<?php

declare(strict_types=1);

namespace Checkline\Http;

use Checkline\Exception\ConnectionException;

/** Sends requests for a Checkline\Client, which handles retries. */
interface HttpClient
{
    /**
     * Sends a request once, with its method, and follows no redirects.
     *
     * @return Response a response of any status
     *
     * @throws ConnectionException without a complete response within $request->timeout
     */
    public function send(Request $request): Response;
}
