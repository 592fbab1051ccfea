<?php

require 'vendor/autoload.php';

$client = new Checkline\Client(); // The key is in CHECKLINE_API_KEY.
try {
    $answer = $client->verify('+5511987654321');
} catch (Checkline\Exception\ChecklineException $e) {
    fwrite(STDERR, "$e->errorCode: {$e->getMessage()}\n");
    exit(1);
}

$valid = $answer->valid ? 'true' : 'false';
$carrier = $answer->carrier ?? 'unknown';
echo "valid: $valid, carrier: $carrier\n";
