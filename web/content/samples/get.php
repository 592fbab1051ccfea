<?php

$request = curl_init('https://checkline.example/api/v1/countries/GM');
curl_setopt_array($request, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 10,
]);
$body = curl_exec($request);
if ($body === false) {
    throw new RuntimeException(curl_error($request));
}

print_r(json_decode($body, true));
