<?php

/** Makes the calls of the cases on its standard input, and prints a report of each. */

declare(strict_types=1);

use Checkline\Client;
use Checkline\Exception\AuthenticationException;
use Checkline\Exception\ChecklineException;
use Checkline\Exception\ConnectionException;
use Checkline\Exception\InvalidRequestException;
use Checkline\Exception\QuotaException;
use Checkline\Exception\RateLimitException;
use Checkline\Exception\ServerException;
use Checkline\Exception\VerificationFailedException;

require 'vendor/autoload.php';

const TYPES = [
    AuthenticationException::class => 'authentication',
    QuotaException::class => 'quota',
    RateLimitException::class => 'rate_limit',
    InvalidRequestException::class => 'invalid_request',
    VerificationFailedException::class => 'verification_failed',
    ServerException::class => 'server',
    ConnectionException::class => 'connection',
];

/** The properties of a result under the API's names. */
function fields(object $result): array
{
    $fields = [];
    foreach (get_object_vars($result) as $name => $value) {
        $apiName = strtolower(preg_replace('/[A-Z]/', '_$0', $name));
        $fields[$apiName] = is_object($value) ? fields($value) : $value;
    }
    return $fields;
}

function error(ChecklineException $error): array
{
    return [
        'type' => TYPES[$error::class],
        'code' => $error->errorCode,
        'message' => $error->getMessage(),
        'status' => $error->status,
        'request_id' => $error->requestId,
        'retry_after' => $error instanceof RateLimitException ? $error->retryAfter : null,
        'fields' => $error instanceof InvalidRequestException ? $error->fields : null,
    ];
}

function item(object $item): array
{
    return $item instanceof ChecklineException ? ['error' => error($item)] : ['result' => fields($item)];
}

/** All that a value says of itself. */
function texts(mixed $value): array
{
    ob_start();
    var_dump($value);
    $texts = [ob_get_clean(), print_r($value, true), json_encode($value, JSON_PARTIAL_OUTPUT_ON_ERROR)];
    if ($value instanceof Throwable) {
        $texts[] = (string) $value;
    } else {
        $texts[] = var_export($value, true);
        $texts[] = var_export((array) $value, true);
    }
    try {
        $texts[] = serialize($value);
    } catch (Exception $refusal) {
        $texts[] = (string) $refusal;
    }
    return $texts;
}

$reports = [];
foreach (json_decode(stream_get_contents(STDIN), true, flags: JSON_THROW_ON_ERROR) as $case) {
    $options = array_filter([
        'timeout' => isset($case['client']['timeout_ms']) ? $case['client']['timeout_ms'] / 1000 : null,
        'maxRetries' => $case['client']['max_retries'] ?? null,
    ], static fn (mixed $value): bool => $value !== null);
    try {
        $client = new Client($case['key'], $case['base_url'], ...$options);
    } catch (InvalidArgumentException $refusal) {
        $reports[$case['id']] = ['refused' => true, 'texts' => texts($refusal)];
        continue;
    }
    $call = $case['call'];
    $more = [
        $call['country'] ?? null,
        $call['idempotency_key'] ?? null,
        $call['expect_country'] ?? null,
        $call['accept_types'] ?? null,
    ];
    try {
        $outcome = match ($call['method']) {
            'verify' => $client->verify($call['number'], ...$more),
            'lookup' => $client->lookup($call['number'], ...$more),
            'lookup_batch' => $client->lookupBatch($call['numbers'], ...$more),
        };
        $report = is_array($outcome) ? ['results' => array_map('item', $outcome)] : item($outcome);
    } catch (ChecklineException $outcome) {
        $report = item($outcome);
    }
    $reports[$case['id']] = $report + ['texts' => [...texts($client), ...texts($outcome)]];
}
echo json_encode($reports, JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE);
