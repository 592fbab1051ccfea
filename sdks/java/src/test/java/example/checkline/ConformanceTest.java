package example.checkline;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Runs the cases of the conformance suite and reports the outcomes; the suite judges them. */
@EnabledIfEnvironmentVariable(
    named = "CHECKLINE_CONFORMANCE_URL",
    matches = ".+",
    disabledReason = "CHECKLINE_CONFORMANCE_URL is not set: the conformance suite does not run")
class ConformanceTest {
  private static final String RUN = System.getenv("CHECKLINE_CONFORMANCE_URL") + "/java";
  private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @TestFactory
  @Execution(ExecutionMode.CONCURRENT)
  Stream<DynamicTest> suite() throws Exception {
    List<?> cases = (List<?>) send(HttpRequest.newBuilder(URI.create(RUN)).build()).get("cases");
    return cases.stream()
        .map(Map.class::cast)
        .map(test -> dynamicTest(test.get("id") + ": " + test.get("title"), () -> hold(test)));
  }

  private void hold(Map<?, ?> test) throws Exception {
    String report = Json.write(outcome(test));
    URI uri = URI.create(RUN + "/" + test.get("id"));
    Map<?, ?> verdict = send(HttpRequest.newBuilder(uri).POST(BodyPublishers.ofString(report)).build());
    assertEquals(List.of(), verdict.get("problems"));
    assertEquals(true, verdict.get("passed"));
  }

  private Map<?, ?> send(HttpRequest request) throws IOException, InterruptedException, Json.MalformedException {
    return (Map<?, ?>) Json.read(http.send(request, BodyHandlers.ofByteArray()).body());
  }

  private static Map<String, Object> outcome(Map<?, ?> test) {
    ChecklineBuilder builder = Checkline.builder().apiKey((String) test.get("key")).baseUrl((String) test.get("base_url"));
    Map<?, ?> options = (Map<?, ?>) test.get("client");
    if (options.get("timeout_ms") instanceof Double millis) builder.timeout(Duration.ofMillis(millis.longValue()));
    if (options.get("deadline_ms") instanceof Double millis) builder.deadline(Duration.ofMillis(millis.longValue()));
    if (options.get("max_retries") instanceof Double count) builder.maxRetries(count.intValue());
    if (options.get("max_wait_ms") instanceof Double millis) builder.maxWait(Duration.ofMillis(millis.longValue()));
    List<ResponseInfo> responses = Collections.synchronizedList(new ArrayList<>());
    Checkline client;
    try {
      client = builder.onResponse(responses::add).build();
    } catch (IllegalArgumentException rejection) {
      return Map.of("rejected", true, "texts", Texts.of(builder, rejection));
    }
    List<Object> said = new ArrayList<>(List.of(client, builder));
    Map<String, Object> outcome = new LinkedHashMap<>();
    try {
      outcome.putAll(call(client, (Map<?, ?>) test.get("call"), said));
    } catch (ChecklineException error) {
      said.add(error);
      outcome.put("error", described(error));
    }
    said.addAll(responses);
    outcome.put("responses", responses.stream().map(ConformanceTest::described).toList());
    outcome.put("texts", Texts.of(said.toArray()));
    return outcome;
  }

  private static Map<String, Object> call(Checkline client, Map<?, ?> call, List<Object> said) {
    String number = (String) call.get("number");
    LookupOptions options = optionsOf(call);
    switch ((String) call.get("method")) {
      case "verify" -> {
        Verification result = client.verify(number, options);
        said.add(result);
        return Map.of("result", fields("valid", result.valid(), "carrier", result.carrier()));
      }
      case "lookup" -> {
        LookupResult result = client.lookup(number, options);
        said.add(result);
        return Map.of("result", fieldsOf(result), "response", described(result.response()));
      }
      case "quota" -> {
        Quota quota = client.quota();
        said.add(quota);
        return Map.of("result", fieldsOf(quota));
      }
      case "lookup_all" -> {
        return collected(client.lookupAll(numbersOf(call), options), Long.MAX_VALUE, said);
      }
      case "lookup_stream" -> {
        if (call.containsKey("tally")) return tally(client, numbersOf(call));
        long most = call.get("take") instanceof Double count ? count.longValue() : Long.MAX_VALUE;
        return collected(client.lookupStream(numbersOf(call), options), most, said);
      }
      default -> {
        List<BatchItem> items = client.lookupBatch(numbersOf(call), options);
        said.addAll(items);
        return Map.of("results", items.stream().map(ConformanceTest::described).toList());
      }
    }
  }

  private static LookupOptions optionsOf(Map<?, ?> call) {
    LookupOptions options =
        LookupOptions.country((String) call.get("country"))
            .withExpectCountry((String) call.get("expect_country"))
            .withRejectUnallocated(call.containsKey("reject_unallocated"))
            .withIdempotencyKey((String) call.get("idempotency_key"));
    if (call.get("accept_types") instanceof List<?> types) options = options.withAcceptTypes(textsOf(types));
    if (call.get("accept_line_types") instanceof List<?> types) options = options.withAcceptLineTypes(textsOf(types));
    return call.get("concurrency") instanceof Double most ? options.withConcurrency(most.intValue()) : options;
  }

  private static String[] textsOf(List<?> list) {
    return list.stream().map(String.class::cast).toArray(String[]::new);
  }

  private static List<PhoneNumber> numbersOf(Map<?, ?> call) {
    return ((List<?>) call.get("numbers")).stream()
        .map(item -> item instanceof Map<?, ?> own
            ? new PhoneNumber(
                (String) own.get("number"), (String) own.get("country"), (String) own.get("expect_country"))
            : PhoneNumber.of((String) item))
        .toList();
  }

  /** The items of a list or stream, and what ended it before its end. */
  private static Map<String, Object> collected(Stream<? extends StreamItem> all, long most, List<Object> said) {
    List<StreamItem> items = new ArrayList<>();
    Map<String, Object> outcome = new LinkedHashMap<>();
    try (all) {
      all.limit(most).forEach(items::add);
    } catch (ChecklineException error) {
      said.add(error);
      outcome.put("ended_by", described(error));
    }
    said.addAll(items);
    outcome.put("results", items.stream().map(ConformanceTest::described).toList());
    return outcome;
  }

  /** Counts a stream's results in order, and how many bytes more are in use at the end than after a tenth of them. */
  private static Map<String, Object> tally(Checkline client, List<PhoneNumber> numbers) {
    int counted = 0;
    long before = 0;
    try (Stream<StreamItem> all = client.lookupStream(numbers)) {
      for (StreamItem item : (Iterable<StreamItem>) all::iterator) {
        if (item instanceof LookupResult result && result.number().equals(numbers.get(counted).number())) counted++;
        if (counted == numbers.size() / 10) before = usedBytes();
      }
    }
    return Map.of("tally", Map.of("counted", counted, "grown_bytes", usedBytes() - before));
  }

  private static long usedBytes() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private static Map<String, Object> described(StreamItem item) {
    return item instanceof LookupResult result
        ? Map.of("result", fieldsOf(result))
        : Map.of("error", described((ChecklineException) item));
  }

  /** The components of a record with the API's names, except the response. */
  private static Map<String, Object> fieldsOf(Record result) {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (RecordComponent component : result.getClass().getRecordComponents()) {
      String name = component.getName().replaceAll("(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
      Object value = assertDoesNotThrow(() -> component.getAccessor().invoke(result));
      if (!name.equals("response")) fields.put(name, value instanceof Record nested ? fieldsOf(nested) : value);
    }
    return fields;
  }

  private static Map<String, Object> described(ResponseInfo response) {
    assertFalse(response.duration().isNegative());
    Map<String, Object> limits = new LinkedHashMap<>();
    response.rateLimits().forEach((name, limit) ->
        limits.put(name, fields("remaining", limit.remaining(), "reset_seconds", limit.reset().toSeconds())));
    return fields(
        "status", response.status(),
        "request_id", response.requestId(),
        "data_version", response.dataVersion(),
        "attempt", response.attempt(),
        "rate_limits", limits);
  }

  private static Map<String, Object> described(ChecklineException error) {
    Duration wait = error instanceof RateLimitException limited ? limited.retryAfter() : null;
    return fields(
        "type", typeOf(error),
        "code", error.code(),
        "message", error.getMessage(),
        "status", error.status(),
        "request_id", error.requestId(),
        "quota", error instanceof QuotaException rejected && rejected.quota() != null ? fieldsOf(rejected.quota()) : null,
        "retry_after", wait == null ? null : wait.toSeconds(),
        "fields", error instanceof InvalidRequestException invalid ? invalid.fields() : null);
  }

  private static String typeOf(ChecklineException error) {
    if (error instanceof AuthenticationException) return "authentication";
    if (error instanceof QuotaException) return "quota";
    if (error instanceof RateLimitException) return "rate_limit";
    if (error instanceof VerificationFailedException) return "verification_failed";
    if (error instanceof InvalidRequestException) return "invalid_request";
    return error instanceof ServerException ? "server" : "connection";
  }

  private static Map<String, Object> fields(Object... namesAndValues) {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (int at = 0; at < namesAndValues.length; at += 2) fields.put((String) namesAndValues[at], namesAndValues[at + 1]);
    return fields;
  }
}
