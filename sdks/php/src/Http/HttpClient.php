<?php

declare(strict_types=1);

namespace Checkline\Http;

use Checkline\Exception\ConnectionException;

/** What sends requests for a Checkline\Client, which does the retries. */
interface HttpClient
{
    /**
     * Sends a request once, by its method, and follows no redirect.
     *
     * @return Response a response of any status
     *
     * @throws ConnectionException when there is no whole response, or not within $request->timeout
     */
    public function send(Request $request): Response;
}
