package example.checkline;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/** Makes calls to the service: one request, plus retries where they may help. Immutable. */
final class Transport {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(8);

  private final HttpClient http;
  private final String baseUrl;
  private final String apiKey;
  private final Duration timeout;
  private final int maxRetries;

  /** Longer waits are up to the caller. */
  private final Duration maxWait;

  private final Consumer<ResponseInfo> onResponse;
  private final Clockwork clockwork;

  /** Waits. */
  interface Sleeper {
    void sleep(Duration pause) throws InterruptedException;
  }

  /**
   * Time and randomness, which tests replace.
   *
   * @param random returns numbers from 0 to 1
   */
  record Clockwork(Sleeper sleeper, DoubleSupplier random) {}

  Transport(
      HttpClient http,
      String baseUrl,
      String apiKey,
      Duration timeout,
      int maxRetries,
      Duration maxWait,
      Consumer<ResponseInfo> onResponse,
      Clockwork clockwork) {
    this.http = http;
    this.baseUrl = baseUrl;
    this.apiKey = apiKey;
    this.timeout = timeout;
    this.maxRetries = maxRetries;
    this.maxWait = maxWait;
    this.onResponse = onResponse;
    this.clockwork = clockwork;
  }

  /** Sends a body, or a GET if it is null, and returns the successful response. */
  Answer send(String path, Map<String, ?> body, String idempotencyKey) {
    HttpRequest request = request(path, body, idempotencyKey);
    for (int retries = 0; ; retries++) {
      ChecklineException failure;
      Duration pause = pauseBefore(retries);
      try {
        Answer answer = attempt(request, retries + 1);
        onResponse.accept(answer.info());
        if (answer.succeeded()) return answer;
        failure = Reader.failure(answer);
        int status = answer.status();
        if (status != 429 && status < 500) throw failure;
        if (answer.retryAfter() != null && (status == 429 || status == 503)) {
          pause = answer.retryAfter();
          if (pause.compareTo(maxWait) > 0) throw failure;
        }
      } catch (ConnectionException noAnswer) {
        failure = noAnswer;
      }
      if (retries >= maxRetries) throw failure;
      try {
        clockwork.sleeper().sleep(pause);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw failure;
      }
    }
  }

  /** Half of the pause is random, so that clients that failed together don't retry together. */
  private Duration pauseBefore(int retries) {
    long longest = Math.min(FIRST_PAUSE.toMillis() << Math.min(retries, 10), LONGEST_PAUSE.toMillis());
    return Duration.ofMillis(Math.round(longest * (0.5 + clockwork.random().getAsDouble() / 2)));
  }

  private HttpRequest request(String path, Map<String, ?> body, String idempotencyKey) {
    URI uri = URI.create(baseUrl + "/api/v1" + path);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri)
            .header("Authorization", "Bearer " + apiKey)
            .header("Accept", "application/json")
            .header("User-Agent", Checkline.USER_AGENT);
    if (body != null) {
      request
          .header("Content-Type", "application/json")
          .header("Idempotency-Key", idempotencyKey)
          .POST(BodyPublishers.ofString(Json.write(body)));
    }
    // Without TLS the JDK would request an upgrade to HTTP/2, which not every server tolerates.
    if (uri.getScheme().equalsIgnoreCase("http")) request.version(HttpClient.Version.HTTP_1_1);
    return request.build();
  }

  /** One request. Its time limit includes the last byte of the body. */
  private Answer attempt(HttpRequest request, int attempt) {
    long began = System.nanoTime();
    String host = request.uri().getHost();
    String tooLate = "There was no whole response from " + host + " in time.";
    CompletableFuture<HttpResponse<byte[]>> response = http.sendAsync(request, BodyHandlers.ofByteArray());
    try {
      HttpResponse<byte[]> read = response.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
      return Answer.of(read, attempt, Duration.ofNanos(System.nanoTime() - began));
    } catch (TimeoutException late) {
      throw new ConnectionException(ConnectionException.TIMEOUT, tooLate, null);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new ConnectionException(ConnectionException.CONNECTION_FAILED, "The thread was interrupted.", null);
    } catch (ExecutionException failed) {
      Throwable cause = failed.getCause();
      if (cause instanceof Error error) throw error;
      if (cause instanceof HttpTimeoutException) {
        throw new ConnectionException(ConnectionException.TIMEOUT, tooLate, withoutKey(cause));
      }
      String message = "The connection to " + host + " failed: " + reason(cause) + ".";
      throw new ConnectionException(ConnectionException.CONNECTION_FAILED, message, withoutKey(cause));
    } finally {
      response.cancel(true);
    }
  }

  /** Why there is no connection. Texts of the caller's own HTTP client are not quoted: they may contain the request. */
  private static String reason(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnresolvedAddressException || cause instanceof UnknownHostException) return "unknown host";
    }
    // For a refused connection, the JDK's exception has no text or this one, unlike for an unreachable network.
    boolean refused = failure instanceof ConnectException
        && (failure.getMessage() == null || failure.getMessage().equals("Connection refused"));
    return refused ? "connection refused" : failure.getClass().getSimpleName();
  }

  /** A cause, unless its texts contain the key: the caller's own HTTP client may quote the request. */
  private Throwable withoutKey(Throwable cause) {
    StringWriter texts = new StringWriter();
    cause.printStackTrace(new PrintWriter(texts));
    return texts.toString().contains(apiKey) ? null : cause;
  }
}
