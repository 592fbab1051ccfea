<?php

$request = curl_init('https://checkline.example/api/v1/verify');
curl_setopt_array($request, [
    CURLOPT_POST => true,
    CURLOPT_POSTFIELDS => json_encode(['number' => '+5511987654321']),
    CURLOPT_HTTPHEADER => [
        'Authorization: Bearer ' . getenv('CHECKLINE_API_KEY'),
        'Content-Type: application/json',
    ],
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 10,
]);
$body = curl_exec($request);
if ($body === false) {
    throw new RuntimeException(curl_error($request));
}
$result = json_decode($body, true);
if (curl_getinfo($request, CURLINFO_RESPONSE_CODE) !== 200) {
    throw new RuntimeException("$result[code]: $result[error]");
}

$valid = $result['valid'] ? 'true' : 'false';
echo "$valid $result[country_name] $result[carrier] $result[line_type]\n";
