package example.checkline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams and futures. */
@Timeout(60)
class StreamTest {
  private static final String LINES = (StandIn.VALID + "\n\n").repeat(500);

  @Test
  void readsNumbersAsItsItemsAreConsumed() throws Exception {
    try (StandIn service = new StandIn(200, LINES)) {
      AtomicInteger read = new AtomicInteger();
      Iterable<PhoneNumber> endless = Stream.generate(() -> PhoneNumber.of("" + read.incrementAndGet()))::iterator;
      Iterator<StreamItem> items = service.client().build().lookupStream(endless).iterator();
      assertEquals(0, read.get());
      for (int count = 0; count < 501; count++) assertTrue(items.next() instanceof LookupResult);
      assertEquals(1000, read.get());
      assertEquals(2, service.seen.size());
      assertEquals("{\"number\":\"501\"}", service.seen.get(1).body().lines().findFirst().orElseThrow());
    }
  }

  @Test
  void sendsLongNumbersInSmallerParts() throws Exception {
    try (StandIn service = new StandIn(200, (StandIn.VALID + "\n").repeat(130))) {
      Stream<PhoneNumber> numbers = Stream.generate(() -> PhoneNumber.of("1".repeat(240))).limit(260);
      assertEquals(260, service.client().build().lookupStream(numbers::iterator).count());
      assertEquals(2, service.seen.size());
    }
  }

  @Test
  void timesOutWhenNothingArrives() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Checkline client = Checkline.builder().apiKey("k").baseUrl("http://127.0.0.1:" + silent.getLocalPort())
          .timeout(Duration.ofMillis(1)).build();
      // Kept, since the garbage collector closes a socket that nobody holds.
      Queue<Socket> connections = new ConcurrentLinkedQueue<>();
      Thread accepting = new Thread(() -> {
        try {
          for (; ; ) connections.add(silent.accept());
        } catch (java.io.IOException closed) {
          // The test has ended.
        }
      });
      accepting.start();
      Stream<StreamItem> items = client.lookupStream(List.of(PhoneNumber.of("1")));
      assertEquals("TIMEOUT", assertThrows(ConnectionException.class, items::toList).code());
      assertEquals(1, connections.size());
    }
  }

  @Test
  void optionsAreCopies() {
    LookupOptions british = LookupOptions.country("GB");
    LookupOptions mobile =
        british
            .withRejectUnallocated(true)
            .withAcceptLineTypes("unknown")
            .withAcceptTypes(NumberType.MOBILE)
            .withExpectCountry("GB");
    assertEquals(List.of("country"), List.copyOf(british.fields().keySet()));
    assertEquals(
        List.of("country", "expect_country", "accept_types", "accept_line_types", "reject_unallocated"),
        List.copyOf(mobile.fields().keySet()));
    assertEquals(List.of("unknown"), mobile.fields().get("accept_line_types"));
    assertEquals(
        Set.of("country", "expect_country", "accept_types", "accept_line_types"),
        mobile.withRejectUnallocated(false).fields().keySet());
    assertSame(LookupOptions.defaults(), LookupOptions.defaults());
  }

  @Test
  void futuresHaveResults() throws Exception {
    try (StandIn service = new StandIn(200, StandIn.VALID)) {
      Checkline client = service.client().build();
      LookupOptions options = LookupOptions.country("BR").withIdempotencyKey("order-4711");
      assertEquals("TIM", client.lookupAsync("1", options).join().carrier());
      assertEquals(new Verification(true, "TIM"), client.verifyAsync("1", options).join());
      assertEquals("order-4711", service.seen.get(1).headers().getFirst("Idempotency-Key"));
    }
    try (StandIn service = new StandIn(200, "{\"results\": [" + StandIn.VALID + "]}")) {
      List<PhoneNumber> numbers = List.of(PhoneNumber.of("1", "GB"));
      assertEquals(1, service.client().build().lookupBatchAsync(numbers, LookupOptions.defaults()).join().size());
    }
    try (StandIn service = new StandIn(200, "{\"used\": 7}")) {
      assertEquals(7, service.client().build().quotaAsync().join().used());
    }
  }

  @Test
  void futuresAreRetriedAndFailLikeCalls() throws Exception {
    String failed = "{\"error\": \"No.\", \"code\": \"INTERNAL_ERROR\"}";
    try (StandIn service = new StandIn(500, failed)) {
      Checkline client = service.client().maxRetries(1).build();
      Throwable cause = assertThrows(CompletionException.class, () -> client.quotaAsync().join()).getCause();
      assertTrue(cause instanceof ServerException error && error.code().equals("INTERNAL_ERROR"), cause.toString());
      assertEquals(2, service.seen.size());
    }
    try (StandIn service = new StandIn(429, failed, "61")) {
      Throwable cause =
          assertThrows(CompletionException.class, () -> service.client().build().quotaAsync().join()).getCause();
      assertTrue(cause instanceof RateLimitException, cause.toString());
      assertEquals(1, service.seen.size());
    }
    try (StandIn service = new StandIn(200, StandIn.VALID, Duration.ofSeconds(30))) {
      Checkline client = service.client().timeout(Duration.ofMillis(100)).maxRetries(0).build();
      Throwable cause = assertThrows(CompletionException.class, () -> client.quotaAsync().join()).getCause();
      assertTrue(cause instanceof ConnectionException error && error.code().equals("TIMEOUT"), cause.toString());
    }
  }
}
