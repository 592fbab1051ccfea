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

/** Carries calls to the service: one request, and retries where they may help. Holds nothing that changes. */
final class Transport {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(8);

  private final HttpClient http;
  private final String baseUrl;
  private final String apiKey;
  private final Duration timeout;
  private final int maxRetries;

  /** To wait longer is the caller's decision. */
  private final Duration maxWait;

  private final Consumer<ResponseInfo> onResponse;
  private final Clockwork clockwork;

  /** Waits. */
  interface Sleeper {
    void sleep(Duration pause) throws InterruptedException;
  }

  /**
   * What tests put in place of time and chance.
   *
   * @param random gives numbers from 0 to 1
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

  /** Sends a body, or a GET where it is null, and gives the response, which has succeeded. */
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

  /** Half of the pause is chance, so that clients that failed together do not come back together. */
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
    // Without TLS the JDK would ask to go on in HTTP/2, which not every server bears.
    if (uri.getScheme().equalsIgnoreCase("http")) request.version(HttpClient.Version.HTTP_1_1);
    return request.build();
  }

  /** One request. Its time runs until the last byte of the body. */
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

  /** Why there is no connection. The texts of an HTTP client of the caller's own are not quoted: they may have the request's. */
  private static String reason(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnresolvedAddressException || cause instanceof UnknownHostException) return "unknown host";
    }
    // The JDK's own for a refusal has no text, or this one, unlike those for an unreachable network.
    boolean refused = failure instanceof ConnectException
        && (failure.getMessage() == null || failure.getMessage().equals("Connection refused"));
    return refused ? "connection refused" : failure.getClass().getSimpleName();
  }

  /** A cause, unless its texts have the key: an HTTP client of the caller's own may quote the request. */
  private Throwable withoutKey(Throwable cause) {
    StringWriter texts = new StringWriter();
    cause.printStackTrace(new PrintWriter(texts));
    return texts.toString().contains(apiKey) ? null : cause;
  }
}
