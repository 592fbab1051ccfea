package example.checkline;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A service on this machine that returns the same response to every request and records the requests. */
final class StandIn implements AutoCloseable {
  static final String KEY = "ch_test_UnitTestKeyThatMustNotLeak0123456789";
  static final String VALID = "{\"valid\": true, \"carrier\": \"TIM\", \"time_zones\": []}";

  record Seen(Headers headers, String body) {}

  final List<Seen> seen = new CopyOnWriteArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;

  StandIn(int status, String body) throws IOException {
    this(status, body, Duration.ZERO, null);
  }

  StandIn(int status, String body, String retryAfter) throws IOException {
    this(status, body, Duration.ZERO, retryAfter);
  }

  StandIn(int status, String body, Duration delay) throws IOException {
    this(status, body, delay, null);
  }

  private StandIn(int status, String body, Duration delay, String retryAfter) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", exchange -> {
      String asked = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      seen.add(new Seen(exchange.getRequestHeaders(), asked));
      try {
        Thread.sleep(delay.toMillis());
      } catch (InterruptedException closed) {
        return;
      }
      if (retryAfter != null) exchange.getResponseHeaders().set("Retry-After", retryAfter);
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
      exchange.close();
    });
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  ChecklineBuilder client() {
    return Checkline.builder().apiKey(KEY).baseUrl(url());
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
