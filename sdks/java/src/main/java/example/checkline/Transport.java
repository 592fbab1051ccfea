package example.checkline;

import java.io.ByteArrayOutputStream;
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
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/** Makes calls to the service: one request, plus retries where they may help. Immutable. */
final class Transport {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(8);

  /** How long the service waits until it sends an empty line of a stream. */
  private static final Duration KEEP_ALIVE = Duration.ofSeconds(10);

  private final HttpClient http;
  private final String baseUrl;
  private final String apiKey;
  private final Duration timeout;

  /** Of a call, with its retries and waits; null for none. */
  private final Duration deadline;

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
      Duration deadline,
      int maxRetries,
      Duration maxWait,
      Consumer<ResponseInfo> onResponse,
      Clockwork clockwork) {
    this.http = http;
    this.baseUrl = baseUrl;
    this.apiKey = apiKey;
    this.timeout = timeout;
    this.deadline = deadline;
    this.maxRetries = maxRetries;
    this.maxWait = maxWait;
    this.onResponse = onResponse;
    this.clockwork = clockwork;
  }

  /** Sends a body, or a GET if it is null, and returns the successful response. */
  Answer send(String path, Map<String, ?> body, String idempotencyKey) {
    HttpRequest request = request(path, body, idempotencyKey);
    long began = System.nanoTime();
    for (int retries = 0; ; retries++) {
      Answer answer = null;
      ChecklineException failure;
      try {
        answer = attempt(request, retries + 1, limit(began));
        onResponse.accept(answer.info());
        if (answer.succeeded()) return answer;
        failure = Reader.failure(answer);
      } catch (ConnectionException noAnswer) {
        failure = noAnswer;
      }
      Duration pause = pauseAfter(answer, failure, retries);
      if (!fits(pause, began)) throw failure;
      sleep(pause, failure);
    }
  }

  /** How long an attempt may take, in a call that began then. */
  private Duration limit(long began) {
    if (deadline == null) return timeout;
    Duration left = deadline.minusNanos(System.nanoTime() - began);
    return left.compareTo(timeout) < 0 ? left : timeout;
  }

  /** Whether a pause ends before the deadline of a call that began then. */
  private boolean fits(Duration pause, long began) {
    return deadline == null || pause.plusNanos(System.nanoTime() - began).compareTo(deadline) < 0;
  }

  /** The same without blocking a thread. */
  CompletableFuture<Answer> sendAsync(String path, Map<String, ?> body, String idempotencyKey) {
    return sendAsync(request(path, body, idempotencyKey), System.nanoTime(), 0);
  }

  private CompletableFuture<Answer> sendAsync(HttpRequest request, long began, int retries) {
    CompletableFuture<Answer> attempt = attemptAsync(request, retries + 1, limit(began));
    CompletableFuture<CompletableFuture<Answer>> next = attempt.handle((answer, failed) -> {
      if (failed != null && !(failed instanceof ConnectionException)) throw new CompletionException(failed);
      if (answer != null) onResponse.accept(answer.info());
      if (answer != null && answer.succeeded()) return CompletableFuture.completedFuture(answer);
      ChecklineException failure = answer == null ? (ConnectionException) failed : Reader.failure(answer);
      Duration pause = pauseAfter(answer, failure, retries);
      if (!fits(pause, began)) throw failure;
      Executor later = CompletableFuture.delayedExecutor(pause.toNanos(), TimeUnit.NANOSECONDS);
      return CompletableFuture.supplyAsync(() -> sendAsync(request, began, retries + 1), later).thenCompose(again -> again);
    });
    return next.thenCompose(answer -> answer);
  }

  private CompletableFuture<Answer> attemptAsync(HttpRequest request, int attempt, Duration limit) {
    long began = System.nanoTime();
    CompletableFuture<HttpResponse<byte[]>> sent = http.sendAsync(request, BodyHandlers.ofByteArray());
    CompletableFuture<Answer> answered = new CompletableFuture<>();
    sent.copy().orTimeout(Math.max(0, limit.toNanos()), TimeUnit.NANOSECONDS).whenComplete((response, failed) -> {
      sent.cancel(true);
      if (failed == null) {
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        answered.complete(Answer.of(response, response.body(), attempt, took));
      } else {
        Throwable cause = failed instanceof CompletionException ? failed.getCause() : failed;
        answered.completeExceptionally(cause instanceof Error ? cause : failure(request.uri(), cause));
      }
    });
    return answered;
  }

  /**
   * Sends some lines of a stream once, and returns the response. The timeout, plus the service's keep-alive, limits each
   * wait for data.
   */
  Answer sendLines(String lines, int attempt) {
    HttpRequest request =
        requestTo("/verify/stream", "application/x-ndjson")
            .header("Content-Type", "application/x-ndjson")
            .POST(BodyPublishers.ofString(lines))
            .build();
    long began = System.nanoTime();
    AtomicLong arrived = new AtomicLong(began);
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    CompletableFuture<HttpResponse<Void>> sent = http.sendAsync(request, BodyHandlers.ofByteArrayConsumer(part -> {
      arrived.set(System.nanoTime());
      part.ifPresent(body::writeBytes);
    }));
    long limit = timeout.plus(KEEP_ALIVE).toNanos();
    HttpResponse<Void> response = await(sent, request, () -> limit - (System.nanoTime() - arrived.get()));
    Answer answer = Answer.of(response, body.toByteArray(), attempt, Duration.ofNanos(System.nanoTime() - began));
    onResponse.accept(answer.info());
    return answer;
  }

  int maxRetries() {
    return maxRetries;
  }

  Duration maxWait() {
    return maxWait;
  }

  /**
   * How long to wait before the next attempt.
   *
   * @param answer the response, or null without one
   * @throws ChecklineException the failure, if it is final
   */
  Duration pauseAfter(Answer answer, ChecklineException failure, int retries) {
    if (retries >= maxRetries) throw failure;
    if (answer == null) return pauseBefore(retries);
    int status = answer.status();
    if (status != 429 && status < 500) throw failure;
    Duration asked = status == 429 || status == 503 ? answer.retryAfter() : null;
    if (asked == null) return pauseBefore(retries);
    if (asked.compareTo(maxWait) > 0) throw failure;
    return asked;
  }

  /** Waits. An interrupted thread throws the failure that it waits because of. */
  void sleep(Duration pause, ChecklineException failure) {
    try {
      clockwork.sleeper().sleep(pause);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw failure;
    }
  }

  /** Half of the pause is random, so that clients that failed together don't retry together. */
  private Duration pauseBefore(int retries) {
    long longest = Math.min(FIRST_PAUSE.toMillis() << Math.min(retries, 10), LONGEST_PAUSE.toMillis());
    return Duration.ofMillis(Math.round(longest * (0.5 + clockwork.random().getAsDouble() / 2)));
  }

  private HttpRequest request(String path, Map<String, ?> body, String idempotencyKey) {
    HttpRequest.Builder request = requestTo(path, "application/json");
    if (body != null) {
      request
          .header("Content-Type", "application/json")
          .header("Idempotency-Key", idempotencyKey)
          .POST(BodyPublishers.ofString(Json.write(body)));
    }
    return request.build();
  }

  private HttpRequest.Builder requestTo(String path, String accept) {
    URI uri = URI.create(baseUrl + "/api/v1" + path);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri)
            .header("Authorization", "Bearer " + apiKey)
            .header("Accept", accept)
            .header("User-Agent", Checkline.USER_AGENT);
    // Without TLS the JDK would request an upgrade to HTTP/2, which not every server tolerates.
    if (uri.getScheme().equalsIgnoreCase("http")) request.version(HttpClient.Version.HTTP_1_1);
    return request;
  }

  /** One request. Its time limit includes the last byte of the body. */
  private Answer attempt(HttpRequest request, int attempt, Duration limit) {
    long began = System.nanoTime();
    CompletableFuture<HttpResponse<byte[]>> sent = http.sendAsync(request, BodyHandlers.ofByteArray());
    HttpResponse<byte[]> response = await(sent, request, () -> limit.toNanos() - (System.nanoTime() - began));
    return Answer.of(response, response.body(), attempt, Duration.ofNanos(System.nanoTime() - began));
  }

  /** Waits as long as time is left. */
  private <T> HttpResponse<T> await(
      CompletableFuture<HttpResponse<T>> sent, HttpRequest request, LongSupplier nanosLeft) {
    try {
      for (; ; ) {
        try {
          return sent.get(Math.max(0, nanosLeft.getAsLong()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
          // More of the body may have arrived meanwhile.
          if (nanosLeft.getAsLong() <= 0) throw failure(request.uri(), late);
        }
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new ConnectionException(ConnectionException.CONNECTION_FAILED, "The thread was interrupted.", null);
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof Error error) throw error;
      throw failure(request.uri(), failed.getCause());
    } finally {
      sent.cancel(true);
    }
  }

  private ConnectionException failure(URI uri, Throwable cause) {
    String host = uri.getAuthority();
    if (cause instanceof TimeoutException || cause instanceof HttpTimeoutException) {
      String message = "No complete response from " + host + " in time.";
      Throwable told = cause instanceof TimeoutException ? null : withoutKey(cause);
      return new ConnectionException(ConnectionException.TIMEOUT, message, told);
    }
    String message = "The connection to " + host + " failed (" + reason(cause) + ").";
    return new ConnectionException(ConnectionException.CONNECTION_FAILED, message, withoutKey(cause));
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
