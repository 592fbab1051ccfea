<?php

require 'vendor/autoload.php';

$client = new Checkline\Client(); // The key is in CHECKLINE_API_KEY.
$quota = $client->quota();

$remaining = $quota->remaining ?? 'unlimited';
echo "$quota->plan $quota->used $remaining\n";
