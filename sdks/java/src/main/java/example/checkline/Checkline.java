package example.checkline;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Verifies phone numbers.
 *
 * <pre>{@code
 * LookupResult result = new Checkline().lookup("+5511987654321");
 * System.out.println(result.valid() + " " + result.carrier());
 * }</pre>
 *
 * <p>A client is thread-safe. Create one per program and share it: each has a separate HTTP client with threads and connections,
 * which end once the client is unreachable. A call blocks its thread. If the connection fails or the service returns 429 or 5xx, it
 * sends up to three requests with the same Idempotency-Key, so the call is charged once. Interrupting the thread ends the call with a
 * {@link ConnectionException}.
 */
public final class Checkline {
  /** The version of this library. */
  public static final String VERSION = "1.0.0";

  static final String USER_AGENT = "checkline-java/" + VERSION;

  private final String baseUrl;
  private final Transport transport;

  /**
   * Creates a client with the key in the environment variable {@code CHECKLINE_API_KEY} and the defaults of {@link
   * ChecklineBuilder}.
   *
   * @throws IllegalArgumentException if the variable isn't set
   */
  public Checkline() {
    this(builder().build());
  }

  /**
   * Creates a client with this key and the defaults of {@link ChecklineBuilder}.
   *
   * @param apiKey an API key, {@code ch_live_…} or {@code ch_test_…}; null for the one in the environment, as with {@link
   *     ChecklineBuilder#apiKey}
   * @throws IllegalArgumentException if the key is missing, empty, or has invalid characters
   */
  public Checkline(String apiKey) {
    this(builder().apiKey(apiKey).build());
  }

  private Checkline(Checkline other) {
    this(other.baseUrl, other.transport);
  }

  Checkline(String baseUrl, Transport transport) {
    this.baseUrl = baseUrl;
    this.transport = transport;
  }

  /**
   * Starts a client with other settings than the defaults.
   *
   * @return a new builder
   */
  public static ChecklineBuilder builder() {
    return new ChecklineBuilder();
  }

  /**
   * Verifies a number, in brief.
   *
   * @param number the number, with + and calling code
   * @return whether it is valid, and its carrier
   * @throws ChecklineException if there is no response, or it is an error
   */
  public Verification verify(String number) {
    return verify(number, LookupOptions.defaults());
  }

  /**
   * Verifies a number, in brief.
   *
   * @param number the number, with + and calling code, or in national format
   * @param options the country of a number in national format, and other options
   * @return whether it is valid, and its carrier
   * @throws ChecklineException if there is no response, or it is an error
   */
  public Verification verify(String number, LookupOptions options) {
    return brief(lookup(number, options));
  }

  /**
   * Verifies a number, in brief, without blocking, as {@link #verifyAsync(String, LookupOptions)} does with the defaults.
   *
   * @param number the number, with + and calling code
   * @return whether it is valid, and its carrier, or fails with a {@link ChecklineException}
   */
  public CompletableFuture<Verification> verifyAsync(String number) {
    return verifyAsync(number, LookupOptions.defaults());
  }

  /**
   * Verifies a number, in brief, without blocking. Canceling the future doesn't end the request.
   *
   * @param number the number, with + and calling code, or in national format
   * @param options the country of a number in national format, and other options
   * @return whether it is valid, and its carrier, or fails with a {@link ChecklineException}
   */
  public CompletableFuture<Verification> verifyAsync(String number, LookupOptions options) {
    return lookupAsync(number, options).thenApply(Checkline::brief);
  }

  /**
   * Verifies a number and returns everything known about it. An invalid number is a result, not an error.
   *
   * @param number the number, with + and calling code
   * @return the full result
   * @throws ChecklineException if there is no response, or it is an error
   */
  public LookupResult lookup(String number) {
    return lookup(number, LookupOptions.defaults());
  }

  /**
   * Verifies a number and returns everything known about it. An invalid number is a result, not an error.
   *
   * @param number the number, with + and calling code, or in national format
   * @param options the country of a number in national format, and other options
   * @return the full result
   * @throws ChecklineException if there is no response, or it is an error
   */
  public LookupResult lookup(String number, LookupOptions options) {
    return Reader.result(transport.send("/verify", body("number", number, options), keyOf(options)));
  }

  /**
   * Verifies a number without blocking, as {@link #lookupAsync(String, LookupOptions)} does with the defaults.
   *
   * @param number the number, with + and calling code
   * @return the full result, or fails with a {@link ChecklineException}
   */
  public CompletableFuture<LookupResult> lookupAsync(String number) {
    return lookupAsync(number, LookupOptions.defaults());
  }

  /**
   * Verifies a number without blocking. Canceling the future doesn't end the request.
   *
   * @param number the number, with + and calling code, or in national format
   * @param options the country of a number in national format, and other options
   * @return the full result, or fails with a {@link ChecklineException}
   */
  public CompletableFuture<LookupResult> lookupAsync(String number, LookupOptions options) {
    return transport.sendAsync("/verify", body("number", number, options), keyOf(options)).thenApply(Reader::result);
  }

  /**
   * Verifies many numbers in one request.
   *
   * @param numbers 1 to 100 numbers, with + and calling code
   * @return the outcome of each, in the same order: a {@link LookupResult} or a {@link VerificationFailedException}
   * @throws ChecklineException if there is no response, or it is an error as a whole
   */
  public List<BatchItem> lookupBatch(String... numbers) {
    return lookupBatch(Stream.of(numbers).map(PhoneNumber::of).toList());
  }

  /**
   * Verifies many numbers in one request.
   *
   * @param numbers 1 to 100 numbers
   * @return the outcome of each, in the same order: a {@link LookupResult} or a {@link VerificationFailedException}
   * @throws ChecklineException if there is no response, or it is an error as a whole
   */
  public List<BatchItem> lookupBatch(List<PhoneNumber> numbers) {
    return lookupBatch(numbers, LookupOptions.defaults());
  }

  /**
   * Verifies many numbers in one request.
   *
   * @param numbers 1 to 100 numbers
   * @param options the country of numbers without their own, and other options
   * @return the outcome of each, in the same order: a {@link LookupResult} or a {@link VerificationFailedException}
   * @throws ChecklineException if there is no response, or it is an error as a whole
   */
  public List<BatchItem> lookupBatch(List<PhoneNumber> numbers, LookupOptions options) {
    List<Object> items = batchItems(numbers);
    Answer answer = transport.send("/verify/batch", body("numbers", items, options), keyOf(options));
    return Reader.results(answer, items.size());
  }

  /**
   * Verifies many numbers in one request, without blocking, with the default options.
   *
   * @param numbers 1 to 100 numbers
   * @return the outcome of each, as in {@link #lookupBatch(List, LookupOptions)}, or fails with a {@link
   *     ChecklineException}
   */
  public CompletableFuture<List<BatchItem>> lookupBatchAsync(List<PhoneNumber> numbers) {
    return lookupBatchAsync(numbers, LookupOptions.defaults());
  }

  /**
   * Verifies many numbers in one request, without blocking. Canceling the future doesn't end the request.
   *
   * @param numbers 1 to 100 numbers
   * @param options the country of numbers without their own, and other options
   * @return the outcome of each, as in {@link #lookupBatch(List, LookupOptions)}, or fails with a {@link
   *     ChecklineException}
   */
  public CompletableFuture<List<BatchItem>> lookupBatchAsync(List<PhoneNumber> numbers, LookupOptions options) {
    List<Object> items = batchItems(numbers);
    return transport
        .sendAsync("/verify/batch", body("numbers", items, options), keyOf(options))
        .thenApply(answer -> Reader.results(answer, items.size()));
  }

  /**
   * Verifies a list of any length, as {@link #lookupAll(Iterable, LookupOptions)} does with the defaults.
   *
   * @param numbers the numbers
   * @return the outcome of each, in the same order
   */
  public Stream<BatchItem> lookupAll(Iterable<PhoneNumber> numbers) {
    return lookupAll(numbers, LookupOptions.defaults());
  }

  /**
   * Verifies a list of any length. Sends requests of a hundred numbers, several at a time, as the stream's items are
   * consumed, in order. When a request fails, the stream throws its {@link ChecklineException} after the items of
   * earlier requests. Closing the stream cancels pending requests.
   *
   * @param numbers the numbers
   * @param options the country of numbers without their own, the concurrency, and other options
   * @return the outcome of each, in the same order: a {@link LookupResult} or a {@link VerificationFailedException}
   */
  public Stream<BatchItem> lookupAll(Iterable<PhoneNumber> numbers, LookupOptions options) {
    String key = options.idempotencyKey();
    Listing listing = new Listing(numbers.iterator(), options.concurrency(), (chunk, request) ->
        lookupBatch(chunk, options.withIdempotencyKey(key == null ? null : key + "-" + request)));
    return streamOf(listing).onClose(listing::close);
  }

  /**
   * Verifies any number of phone numbers, as {@link #lookupStream(Iterable, LookupOptions)} does with the defaults.
   *
   * @param numbers the numbers
   * @return the outcome of each, in the same order
   */
  public Stream<StreamItem> lookupStream(Iterable<PhoneNumber> numbers) {
    return lookupStream(numbers, LookupOptions.defaults());
  }

  /**
   * Verifies any number of phone numbers in order. Reads and sends 500 at a time as the stream's items are consumed, and
   * keeps no more in memory; the service waits when the account's number limit is reached. A {@link ChecklineException}
   * that ends the stream is thrown after the earlier items. A connection that is cut off isn't retried, since its numbers
   * may have been counted.
   *
   * @param numbers the numbers
   * @param options the country of numbers without their own, and conditions
   * @return the outcome of each, in the same order: a {@link LookupResult}, a {@link VerificationFailedException}, or an
   *     {@link InvalidRequestException}
   * @throws IllegalArgumentException for options with an Idempotency-Key
   */
  public Stream<StreamItem> lookupStream(Iterable<PhoneNumber> numbers, LookupOptions options) {
    if (options.idempotencyKey() != null) throw new IllegalArgumentException("A stream has no Idempotency-Key.");
    return streamOf(new Streaming(numbers.iterator(), options.fields(), transport));
  }

  /**
   * Returns what is left of the account's quota, and of the key's cap.
   *
   * @return the figures
   * @throws ChecklineException if there is no response, or it is an error
   */
  public Quota quota() {
    return Reader.quota(transport.send("/account/quota", null, null));
  }

  /**
   * Returns what is left, without blocking.
   *
   * @return the figures, or fails with a {@link ChecklineException}
   */
  public CompletableFuture<Quota> quotaAsync() {
    return transport.sendAsync("/account/quota", null, null).thenApply(Reader::quota);
  }

  private static Verification brief(LookupResult result) {
    return new Verification(result.valid(), result.carrier());
  }

  private static List<Object> batchItems(List<PhoneNumber> numbers) {
    return IntStream.range(0, numbers.size()).mapToObj(i -> PhoneNumber.read(numbers.get(i), i).batchItem()).toList();
  }

  private static Map<String, Object> body(String name, Object value, LookupOptions options) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put(name, Objects.requireNonNull(value, name));
    body.putAll(options.fields());
    return body;
  }

  private static String keyOf(LookupOptions options) {
    return options.idempotencyKey() == null ? "sdk-" + UUID.randomUUID() : options.idempotencyKey();
  }

  private static <T> Stream<T> streamOf(Iterator<T> items) {
    int traits = Spliterator.ORDERED | Spliterator.NONNULL;
    return StreamSupport.stream(Spliterators.spliteratorUnknownSize(items, traits), false);
  }

  /** Shows the service's address, never the key. */
  @Override
  public String toString() {
    return "Checkline[" + baseUrl + "]";
  }
}
