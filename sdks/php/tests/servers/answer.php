<?php

/**
 * Serves connections as badly as a test needs, and prints its port, then what each connection sent as a line of JSON.
 *
 * Arguments: what to send, in base64; then seconds between bytes (0 for all at once); then, for TLS, a certificate with
 * its key.
 */

declare(strict_types=1);

[, $encoded, $interval] = $argv;
$tls = isset($argv[3]);
$context = stream_context_create(['ssl' => ['local_cert' => $argv[3] ?? '']]);
$server = stream_socket_server('tcp://127.0.0.1:0', $code, $error, STREAM_SERVER_BIND | STREAM_SERVER_LISTEN, $context);
echo parse_url('tcp://' . stream_socket_get_name($server, false), PHP_URL_PORT), "\n";

while (true) {
    $connection = stream_socket_accept($server, 60);
    if ($connection === false) {
        exit;
    }
    // The other side may leave at any time; some tests rely on that.
    if ($tls && !@stream_socket_enable_crypto($connection, true, STREAM_CRYPTO_METHOD_TLS_SERVER)) {
        echo json_encode('no TLS'), "\n";
        fclose($connection);
        continue;
    }
    $request = '';
    while (!str_contains($request, "\r\n\r\n") && ($read = fread($connection, 65536)) !== '' && $read !== false) {
        $request .= $read;
    }
    preg_match('/^Content-Length: (\d+)/mi', $request, $length);
    $whole = strpos($request, "\r\n\r\n") + 4 + (int) ($length[1] ?? 0);
    while (strlen($request) < $whole && ($read = fread($connection, 65536)) !== '' && $read !== false) {
        $request .= $read;
    }
    $answer = base64_decode($encoded);
    foreach ($interval === '0' ? [$answer] : str_split($answer) as $part) {
        if (@fwrite($connection, $part) === false) {
            break;
        }
        usleep((int) ($interval * 1_000_000));
    }
    fclose($connection);
    echo json_encode($request), "\n";
}
