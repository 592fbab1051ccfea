<?php

require 'vendor/autoload.php';

$client = new Checkline\Client(); // The key is in CHECKLINE_API_KEY.
try {
    $result = $client->lookup('+5511987654321');
} catch (Checkline\Exception\ChecklineException $e) {
    fwrite(STDERR, "$e->errorCode: {$e->getMessage()}\n");
    exit(1);
}

$valid = $result->valid ? 'true' : 'false';
echo "$valid $result->countryName $result->carrier $result->lineType\n";
