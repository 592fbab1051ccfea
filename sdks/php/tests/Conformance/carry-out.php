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
use Checkline\LookupResult;
use Checkline\ResponseInfo;

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
    foreach (array_diff_key(get_object_vars($result), ['response' => 0, 'duration' => 0]) as $name => $value) {
        $apiName = strtolower(preg_replace('/[A-Z]/', '_$0', $name));
        $fields[$apiName] = is_object($value) ? fields($value) : $value;
    }
    return $fields;
}

function response(ResponseInfo $response): array
{
    // An object even without limits.
    return ['rate_limits' => (object) array_map('fields', $response->rateLimits)] + fields($response);
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
        'quota' => $error instanceof QuotaException && $error->quota !== null ? fields($error->quota) : null,
    ];
}

function item(object $item): array
{
    return $item instanceof ChecklineException ? ['error' => error($item)] : ['result' => fields($item)];
}

/** Counts a stream's results in order, and how many bytes more are in use at the end than after a tenth of them. */
function tally(Client $client, array $numbers): array
{
    $counted = $before = 0;
    foreach ($client->lookupStream($numbers) as $index => $item) {
        $counted += $item->number === $numbers[$index] ? 1 : 0;
        if ($index + 1 === intdiv(count($numbers), 10)) {
            $before = usedBytes();
        }
    }
    return ['counted' => $counted, 'grown_bytes' => usedBytes() - $before];
}

function usedBytes(): int
{
    gc_collect_cycles();
    return memory_get_usage();
}

/** Every textual form of a value. */
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
    } catch (Exception $rejection) {
        $texts[] = (string) $rejection;
    }
    return $texts;
}

$reports = [];
foreach (json_decode(stream_get_contents(STDIN), true, flags: JSON_THROW_ON_ERROR) as $case) {
    $responses = [];
    $options = array_filter([
        'timeout' => isset($case['client']['timeout_ms']) ? $case['client']['timeout_ms'] / 1000 : null,
        'deadline' => isset($case['client']['deadline_ms']) ? $case['client']['deadline_ms'] / 1000 : null,
        'maxRetries' => $case['client']['max_retries'] ?? null,
        'maxWait' => isset($case['client']['max_wait_ms']) ? $case['client']['max_wait_ms'] / 1000 : null,
        'onResponse' => static function (ResponseInfo $response) use (&$responses): void {
            $responses[] = $response;
        },
    ], static fn (mixed $value): bool => $value !== null);
    try {
        $client = new Client($case['key'], $case['base_url'], ...$options);
    } catch (InvalidArgumentException $rejection) {
        $reports[$case['id']] = ['rejected' => true, 'texts' => texts($rejection)];
        continue;
    }
    $call = $case['call'];
    $more = [
        $call['country'] ?? null,
        $call['idempotency_key'] ?? null,
        $call['expect_country'] ?? null,
        $call['accept_types'] ?? null,
        $call['accept_line_types'] ?? null,
        $call['reject_unallocated'] ?? false,
    ];
    if (isset($call['tally'])) {
        $reports[$case['id']] = ['tally' => tally($client, $call['numbers']), 'texts' => texts($client)];
        continue;
    }
    $isList = in_array($call['method'], ['lookup_all', 'lookup_stream'], true);
    try {
        $outcome = match ($call['method']) {
            'verify' => $client->verify($call['number'], ...$more),
            'lookup' => $client->lookup($call['number'], ...$more),
            'quota' => $client->quota(),
            'lookup_all', 'lookup_stream' => new ArrayIterator(),
            'lookup_batch' => $client->lookupBatch($call['numbers'], ...$more),
        };
        if ($isList) {
            $items = $call['method'] === 'lookup_all'
                ? $client->lookupAll($call['numbers'], ...$more)
                : $client->lookupStream($call['numbers'], $more[0], ...array_slice($more, 2));
            foreach ($items as $index => $each) {
                $outcome[$index] = $each;
                if (count($outcome) === ($call['take'] ?? null)) {
                    break;
                }
            }
            $outcome = $outcome->getArrayCopy();
        }
        $report = is_array($outcome) ? ['results' => array_map('item', $outcome)] : item($outcome);
    } catch (ChecklineException $error) {
        $report = $isList
            ? ['results' => array_map('item', $outcome->getArrayCopy()), 'ended_by' => error($error)]
            : item($error);
        $outcome = $error;
    }
    if ($outcome instanceof LookupResult) {
        $report['response'] = response($outcome->response);
    }
    $reports[$case['id']] = $report + [
        'responses' => array_map('response', $responses),
        'texts' => [...texts($client), ...texts($outcome), ...texts($responses)],
    ];
}
echo json_encode($reports, JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE);
