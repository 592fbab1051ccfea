<?php

use Checkline\Exception\ChecklineException;
use Checkline\LookupResult;

require 'vendor/autoload.php';

$numbers = [
    '+5511987654321',
    '+12025550109', // Always fails in the sandbox.
    '+442079460018',
];

$client = new Checkline\Client(); // The key is in CHECKLINE_API_KEY.
try {
    $items = $client->lookupBatch($numbers);
} catch (ChecklineException $e) {
    fwrite(STDERR, "$e->errorCode: {$e->getMessage()}\n");
    exit(1);
}

foreach ($items as $index => $item) {
    $found = $item instanceof LookupResult;
    $told = $found ? ($item->valid ? $item->countryName : $item->reason) : $item->errorCode;
    echo "$numbers[$index]: $told\n";
}
