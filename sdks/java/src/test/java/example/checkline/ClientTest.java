package example.checkline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.http.HttpClient;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ClientTest {
  private static final String NUMBER = "+5511987654321";
  private static final String FAILED = "{\"error\": \"Something went wrong.\", \"code\": \"INTERNAL_ERROR\"}";

  private static List<Duration> pauses(int maxRetries, double random) throws Exception {
    List<Duration> pauses = new ArrayList<>();
    try (StandIn service = new StandIn(500, FAILED)) {
      Checkline client =
          service.client().maxRetries(maxRetries).clockwork(new Transport.Clockwork(pauses::add, () -> random)).build();
      assertThrows(ServerException.class, () -> client.verify(NUMBER));
      assertEquals(maxRetries + 1, service.seen.size());
    }
    return pauses;
  }

  private static List<Duration> millis(int... millis) {
    return java.util.Arrays.stream(millis).mapToObj(Duration::ofMillis).toList();
  }

  @Test
  void pausesGrowToEightSecondsHalfOfThemRandom() throws Exception {
    assertEquals(millis(250, 500, 1000, 2000, 4000, 4000), pauses(6, 0));
    assertEquals(millis(500, 1000, 2000, 4000, 8000, 8000), pauses(6, 1));
    assertEquals(millis(375, 750), pauses(2, 0.5));
  }

  @Test
  void pausesNeverExceedTheLongest() throws Exception {
    assertEquals(Duration.ofSeconds(8), pauses(100, 1).get(99));
  }

  @Test
  void isThreadSafe() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(32);
    try (StandIn service = new StandIn(200, StandIn.VALID)) {
      Checkline client = service.client().build();
      List<Callable<Verification>> calls =
          Stream.generate(() -> (Callable<Verification>) () -> client.verify(NUMBER)).limit(400).toList();
      for (Future<Verification> call : threads.invokeAll(calls)) {
        assertEquals(new Verification(true, "TIM"), call.get());
      }
      Stream<String> keys = service.seen.stream().map(one -> one.headers().getFirst("Idempotency-Key"));
      assertEquals(400, keys.distinct().count());
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void usesTheGivenHttpClient() throws Exception {
    AtomicInteger used = new AtomicInteger();
    HttpClient http =
        HttpClient.newBuilder()
            .executor(task -> {
              used.incrementAndGet();
              new Thread(task).start();
            })
            .build();
    try (StandIn service = new StandIn(200, StandIn.VALID)) {
      service.client().httpClient(http).build().verify(NUMBER);
    }
    assertTrue(used.get() > 0);
  }

  @Test
  void sendsTheCallersIdempotencyKeyIfValid() throws Exception {
    try (StandIn service = new StandIn(200, StandIn.VALID)) {
      Checkline client = service.client().build();
      client.verify(NUMBER, LookupOptions.defaults().withIdempotencyKey("order-4711"));
      assertEquals("order-4711", service.seen.get(0).headers().getFirst("Idempotency-Key"));
      for (String bad : List.of("", " ", "a b", "a\n", "a\nb", "é", "x".repeat(256))) {
        assertThrows(IllegalArgumentException.class, () -> LookupOptions.defaults().withIdempotencyKey(bad));
      }
      assertEquals(1, service.seen.size());
    }
  }

  @Test
  void sendsOnlyTheFieldsOfTheCall() throws Exception {
    try (StandIn service = new StandIn(200, StandIn.VALID)) {
      Checkline client = service.client().build();
      client.lookup("11 98765-4321", LookupOptions.country("BR"));
      client.lookup(NUMBER, LookupOptions.country(null));
      assertEquals("{\"number\":\"11 98765-4321\",\"country\":\"BR\"}", service.seen.get(0).body());
      assertEquals("{\"number\":\"" + NUMBER + "\"}", service.seen.get(1).body());
      assertThrows(NullPointerException.class, () -> client.lookup(null));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 302, 400, 401, 402, 429, 500})
  void neverShowsTheKey(int status) throws Exception {
    try (StandIn service = new StandIn(status, FAILED)) {
      ChecklineBuilder builder = service.client().maxRetries(0);
      Checkline client = builder.build();
      ChecklineException error = assertThrows(ChecklineException.class, () -> client.verify(NUMBER));
      assertEquals(status, error.status());
      for (String text : Texts.of(client, builder, error)) assertFalse(text.contains(StandIn.KEY), text);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {201, 202, 206, 302})
  void onlyA200IsASuccess(int status) throws Exception {
    String both = "{\"valid\": true, \"error\": \"Something went wrong.\", \"code\": \"INTERNAL_ERROR\"}";
    try (StandIn service = new StandIn(status, both)) {
      ServerException error = assertThrows(ServerException.class, () -> service.client().build().verify(NUMBER));
      assertEquals("UNEXPECTED_RESPONSE", error.code());
      assertEquals(1, service.seen.size());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.5", "+1", "0x1", "1000000000", "Fri, 99 Nov 2026 00:00:00 GMT", "Fri, 20 Nov 2026", ""})
  void parsesOnlySecondsAndDatesInRetryAfter(String header) throws Exception {
    try (StandIn service = new StandIn(429, FAILED, header)) {
      Checkline client = service.client().maxRetries(0).build();
      assertEquals(null, assertThrows(RateLimitException.class, () -> client.verify(NUMBER)).retryAfter());
    }
  }

  @Test
  void doesNotWaitForAPastDate() throws Exception {
    try (StandIn service = new StandIn(429, FAILED, "Wed, 21 Oct 2015 07:28:00 GMT")) {
      Checkline client = service.client().maxRetries(0).build();
      assertEquals(Duration.ZERO, assertThrows(RateLimitException.class, () -> client.verify(NUMBER)).retryAfter());
    }
  }

  @Test
  void sendsAListAsItsItemsAreConsumed() throws Exception {
    String body = "{\"results\": [" + (StandIn.VALID + ",").repeat(99) + StandIn.VALID + "]}";
    try (StandIn service = new StandIn(200, body)) {
      Checkline client = service.client().build();
      LookupOptions options = LookupOptions.defaults().withIdempotencyKey("job").withConcurrency(2);
      Iterable<PhoneNumber> endless = () -> Stream.generate(() -> PhoneNumber.of(NUMBER)).iterator();
      try (Stream<BatchItem> items = client.lookupAll(endless, options)) {
        assertEquals(150, items.limit(150).count());
      }
      assertTrue(service.seen.size() <= 3, "requests: " + service.seen.size());
      List<String> keys = service.seen.stream().map(seen -> seen.headers().getFirst("Idempotency-Key")).toList();
      assertTrue(keys.containsAll(List.of("job-1", "job-2")), keys.toString());
    }
  }

  @Test
  void rejectsInvalidLists() throws Exception {
    try (StandIn service = new StandIn(402, "{\"error\": \"x\", \"code\": \"Y\", \"quota\": {\"used\": 9, \"remaining\": 1}}")) {
      Checkline client = service.client().build();
      assertEquals(0, client.lookupAll(List.of()).count());
      assertThrows(IllegalArgumentException.class, () -> LookupOptions.defaults().withConcurrency(0));
      LookupOptions named = LookupOptions.defaults().withIdempotencyKey("job");
      assertThrows(IllegalArgumentException.class, () -> client.lookupStream(List.of(), named));
      assertThrows(NullPointerException.class, () -> PhoneNumber.of(null));
      List<PhoneNumber> gap = Arrays.asList(PhoneNumber.of("1"), null);
      for (Executable call : List.<Executable>of(
          () -> client.lookupBatch(gap), () -> client.lookupAll(gap).toList(), () -> client.lookupStream(gap).toList())) {
        assertEquals("numbers[1] is null", assertThrows(NullPointerException.class, call).getMessage());
      }
      PhoneNumber own = PhoneNumber.of("1", "GB").withExpectCountry("PT");
      assertEquals(new PhoneNumber("1", "GB", "PT"), own);
      assertEquals(0, service.seen.size());
      QuotaException rejected = assertThrows(QuotaException.class, () -> client.lookupAll(List.of(PhoneNumber.of("1"))).toList());
      assertEquals(1, rejected.quota().remaining());
    }
  }

  @Test
  void parsesNineDigitsOfRetryAfter() throws Exception {
    try (StandIn service = new StandIn(429, FAILED, "999999999")) {
      Checkline client = service.client().build();
      RateLimitException error = assertThrows(RateLimitException.class, () -> client.verify(NUMBER));
      assertEquals(Duration.ofSeconds(999_999_999), error.retryAfter());
    }
  }

  @Test
  void sendsALoneSurrogateUnchanged() throws Exception {
    try (StandIn service = new StandIn(200, StandIn.VALID)) {
      service.client().build().verify("+1\ud83d");
      assertEquals("{\"number\":\"+1\\ud83d\"}", service.seen.get(0).body());
    }
  }

  @Test
  void reportsWhyTheConnectionFailed() throws Exception {
    String closedPort;
    try (ServerSocket unused = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      closedPort = "http://127.0.0.1:" + unused.getLocalPort();
    }
    ChecklineBuilder builder = Checkline.builder().apiKey("k").maxRetries(0);
    assertEquals("The connection to " + closedPort.replace("http://", "") + " failed (connection refused).", failure(builder.baseUrl(closedPort)));
    // What the JDK's client throws for an unknown name; resolving one would depend on the machine's resolver.
    IOException unknown = new IOException(new UnresolvedAddressException());
    builder.baseUrl("https://h").httpClient(new FailingHttpClient(unknown));
    assertEquals("The connection to h failed (unknown host).", failure(builder));
  }

  private static String failure(ChecklineBuilder builder) {
    Checkline client = builder.build();
    ConnectionException error = assertThrows(ConnectionException.class, () -> client.verify(NUMBER));
    assertEquals("CONNECTION_FAILED", error.code());
    return error.getMessage();
  }

  @Test
  void omitsACauseThatQuotesTheKey() {
    HttpClient quoting = new FailingHttpClient(new IOException("bad header: Bearer " + StandIn.KEY));
    HttpClient plain = new FailingHttpClient(new IOException("no route"));
    ChecklineBuilder builder = Checkline.builder().apiKey(StandIn.KEY).baseUrl("https://api.test").maxRetries(0);
    ConnectionException error =
        assertThrows(ConnectionException.class, () -> builder.httpClient(quoting).build().verify(NUMBER));
    assertEquals("CONNECTION_FAILED", error.code());
    for (String text : Texts.of(error)) assertFalse(text.contains(StandIn.KEY), text);
    error = assertThrows(ConnectionException.class, () -> builder.httpClient(plain).build().verify(NUMBER));
    assertEquals("no route", error.getCause().getMessage());
  }

  @Test
  void stopsWhenItsThreadIsInterrupted() throws Exception {
    try (StandIn service = new StandIn(200, StandIn.VALID, Duration.ofSeconds(30))) {
      Checkline client = service.client().build();
      List<Object> outcome = new ArrayList<>();
      Thread caller = new Thread(() -> {
        outcome.add(assertThrows(ConnectionException.class, () -> client.verify(NUMBER)).code());
        outcome.add(Thread.currentThread().isInterrupted());
      });
      caller.start();
      while (service.seen.isEmpty()) Thread.sleep(5);
      caller.interrupt();
      caller.join(5_000);
      assertEquals(List.of("CONNECTION_FAILED", true), outcome);
      assertEquals(1, service.seen.size());
    }
  }

  @Test
  void connectingTimesOut() throws Exception {
    List<Socket> waiting = new ArrayList<>();
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      // No one accepts: once its queue is full, connections to it hang.
      assertThrows(SocketTimeoutException.class, () -> {
        while (true) {
          Socket socket = new Socket();
          waiting.add(socket);
          socket.connect(new InetSocketAddress(full.getInetAddress(), full.getLocalPort()), 200);
        }
      });
      Checkline client =
          Checkline.builder()
              .apiKey("k")
              .baseUrl("http://127.0.0.1:" + full.getLocalPort())
              .connectTimeout(Duration.ofMillis(300))
              .maxRetries(0)
              .build();
      long start = System.nanoTime();
      ConnectionException error = assertThrows(ConnectionException.class, () -> client.verify(NUMBER));
      assertEquals("TIMEOUT", error.code());
      assertTrue(System.nanoTime() - start < 5e9, "the limit of the attempt, not of connecting");
    } finally {
      for (Socket socket : waiting) socket.close();
    }
  }

  @Test
  void batchItemsAreSealed() throws Exception {
    String body = "{\"results\": [" + StandIn.VALID + ", {\"error\": \"verification failed: No (code: 9)\", \"code\": \"NO\"}]}";
    try (StandIn service = new StandIn(200, body)) {
      List<BatchItem> items = service.client().build().lookupBatch(List.of(PhoneNumber.of("1"), PhoneNumber.of("2")));
      assertTrue(items.get(0) instanceof LookupResult result && result.carrier().equals("TIM"));
      assertTrue(items.get(1) instanceof VerificationFailedException failure && failure.code().equals("NO"));
      assertThrows(UnsupportedOperationException.class, () -> items.add(null));
    }
  }
}
