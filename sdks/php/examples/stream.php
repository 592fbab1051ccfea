<?php

use Checkline\LookupResult;

require 'vendor/autoload.php';

function numbers(): Generator
{
    yield '+5511987654321';
    yield ['number' => '020 7946 0018', 'country' => 'GB'];
    yield '+12025550109';
}

$client = new Checkline\Client(); // The key is in CHECKLINE_API_KEY.
foreach ($client->lookupStream(numbers()) as $item) {
    $found = $item instanceof LookupResult;
    echo $found ? ($item->valid ? $item->number : $item->reason) : $item->errorCode, "\n";
}
