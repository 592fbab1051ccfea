package example.checkline;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.UUID;
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
    return verify(number, null, null);
  }

  /**
   * Verifies a number, in brief.
   *
   * @param number the number, with + and calling code, or in national format
   * @param country ISO 3166-1 alpha-2 country of numbers in national format, or null
   * @return whether it is valid, and its carrier
   * @throws ChecklineException if there is no response, or it is an error
   */
  public Verification verify(String number, String country) {
    return verify(number, country, null);
  }

  /**
   * Verifies a number, in brief.
   *
   * @param number the number, with + and calling code, or in national format
   * @param country ISO 3166-1 alpha-2 country of numbers in national format, or null
   * @param idempotencyKey 1 to 255 printable ASCII characters without spaces, which identify this call so that a repeat
   * is not charged again; null for a new one
   * @return whether it is valid, and its carrier
   * @throws ChecklineException if there is no response, or it is an error
   */
  public Verification verify(String number, String country, String idempotencyKey) {
    LookupResult result = lookup(number, country, idempotencyKey);
    return new Verification(result.valid(), result.carrier());
  }

  /**
   * Verifies a number and returns everything known about it. An invalid number is a result, not an error.
   *
   * @param number the number, with + and calling code
   * @return the full result
   * @throws ChecklineException if there is no response, or it is an error
   */
  public LookupResult lookup(String number) {
    return lookup(number, null, null);
  }

  /**
   * Verifies a number and returns everything known about it. An invalid number is a result, not an error.
   *
   * @param number the number, with + and calling code, or in national format
   * @param country ISO 3166-1 alpha-2 country of numbers in national format, or null
   * @return the full result
   * @throws ChecklineException if there is no response, or it is an error
   */
  public LookupResult lookup(String number, String country) {
    return lookup(number, country, null);
  }

  /**
   * Verifies a number and returns everything known about it. An invalid number is a result, not an error.
   *
   * @param number the number, with + and calling code, or in national format
   * @param country ISO 3166-1 alpha-2 country of numbers in national format, or null
   * @param idempotencyKey 1 to 255 printable ASCII characters without spaces, which identify this call so that a repeat
   * is not charged again; null for a new one
   * @return the full result
   * @throws ChecklineException if there is no response, or it is an error
   */
  public LookupResult lookup(String number, String country, String idempotencyKey) {
    return lookup(number, country, idempotencyKey, null);
  }

  /**
   * Verifies a number, returns everything known about it, and says whether you accept it.
   *
   * @param number the number, with + and calling code, or in national format
   * @param country ISO 3166-1 alpha-2 country of numbers in national format, or null
   * @param idempotencyKey 1 to 255 printable ASCII characters without spaces, which identify this call so that a repeat
   * is not charged again; null for a new one
   * @param acceptance what you accept, or null
   * @return the full result
   * @throws ChecklineException if there is no response, or it is an error
   */
  public LookupResult lookup(String number, String country, String idempotencyKey, Acceptance acceptance) {
    Objects.requireNonNull(number, "number");
    return Reader.result(post("/verify", Map.of("number", number), country, idempotencyKey, acceptance));
  }

  /**
   * Verifies many numbers in one request.
   *
   * @param numbers 1 to 100 numbers, with + and calling code
   * @return the outcome of each, in the same order: a {@link LookupResult} or a {@link VerificationFailedException}
   * @throws ChecklineException if there is no response, or it is an error as a whole
   */
  public List<BatchItem> lookupBatch(List<String> numbers) {
    return lookupBatch(numbers, null, null);
  }

  /**
   * Verifies many numbers in one request.
   *
   * @param numbers 1 to 100 numbers, with + and calling code, or in national format
   * @param country ISO 3166-1 alpha-2 country of numbers in national format, or null
   * @return the outcome of each, in the same order: a {@link LookupResult} or a {@link VerificationFailedException}
   * @throws ChecklineException if there is no response, or it is an error as a whole
   */
  public List<BatchItem> lookupBatch(List<String> numbers, String country) {
    return lookupBatch(numbers, country, null);
  }

  /**
   * Verifies many numbers in one request.
   *
   * @param numbers 1 to 100 numbers, with + and calling code, or in national format
   * @param country ISO 3166-1 alpha-2 country of numbers in national format, or null
   * @param idempotencyKey 1 to 255 printable ASCII characters without spaces, which identify this call so that a repeat
   * is not charged again; null for a new one
   * @return the outcome of each, in the same order: a {@link LookupResult} or a {@link VerificationFailedException}
   * @throws ChecklineException if there is no response, or it is an error as a whole
   */
  public List<BatchItem> lookupBatch(List<String> numbers, String country, String idempotencyKey) {
    return lookupBatch(numbers, country, idempotencyKey, null);
  }

  /**
   * Verifies many numbers in one request, and says whether you accept each.
   *
   * @param numbers 1 to 100 numbers, with + and calling code, or in national format
   * @param country ISO 3166-1 alpha-2 country of numbers in national format, or null
   * @param idempotencyKey 1 to 255 printable ASCII characters without spaces, which identify this call so that a repeat
   * is not charged again; null for a new one
   * @param acceptance what you accept, or null
   * @return the outcome of each, in the same order: a {@link LookupResult} or a {@link VerificationFailedException}
   * @throws ChecklineException if there is no response, or it is an error as a whole
   */
  public List<BatchItem> lookupBatch(
      List<String> numbers, String country, String idempotencyKey, Acceptance acceptance) {
    List<String> copy = List.copyOf(numbers);
    Answer answer = post("/verify/batch", Map.of("numbers", copy), country, idempotencyKey, acceptance);
    return Reader.results(answer, copy.size());
  }

  /**
   * Verifies a list of any length, as {@link #lookupAll(Iterable, String, String, Acceptance, int)} does with the
   * defaults.
   *
   * @param numbers the numbers, with + and calling code
   * @return the outcome of each, in the same order
   */
  public Stream<BatchItem> lookupAll(Iterable<String> numbers) {
    return lookupAll(numbers, null, null, null, 4);
  }

  /**
   * Verifies a list of any length. Sends requests of a hundred numbers, several at a time, as the stream's items are
   * consumed, in order. When a request fails, the stream throws its {@link ChecklineException} after the items of
   * earlier requests. Closing the stream cancels pending requests.
   *
   * @param numbers the numbers, with + and calling code, or in national format
   * @param country ISO 3166-1 alpha-2 country of numbers in national format, or null
   * @param idempotencyKey a name for this list, to which each request adds {@code -1}, {@code -2} and so on; null for
   * new ones
   * @param acceptance what you accept, or null
   * @param concurrency the most concurrent requests, 1 or more
   * @return the outcome of each, in the same order: a {@link LookupResult} or a {@link VerificationFailedException}
   */
  public Stream<BatchItem> lookupAll(
      Iterable<String> numbers, String country, String idempotencyKey, Acceptance acceptance, int concurrency) {
    if (concurrency < 1) throw new IllegalArgumentException("The concurrency must be 1 or more.");
    checkIdempotencyKey(idempotencyKey);
    Listing listing = new Listing(numbers.iterator(), concurrency, (chunk, request) ->
        lookupBatch(chunk, country, idempotencyKey == null ? null : idempotencyKey + "-" + request, acceptance));
    int traits = Spliterator.ORDERED | Spliterator.NONNULL;
    return StreamSupport.stream(Spliterators.spliteratorUnknownSize(listing, traits), false).onClose(listing::close);
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

  private static void checkIdempotencyKey(String key) {
    if (key != null && !key.matches("[\\x21-\\x7e]{1,255}")) {
      throw new IllegalArgumentException("An Idempotency-Key is 1 to 255 printable ASCII characters without spaces.");
    }
  }

  private Answer post(
      String path, Map<String, ?> input, String country, String idempotencyKey, Acceptance acceptance) {
    Map<String, Object> body = new LinkedHashMap<>(input);
    if (country != null) body.put("country", country);
    if (acceptance != null && acceptance.expectCountry() != null) body.put("expect_country", acceptance.expectCountry());
    if (acceptance != null && acceptance.acceptTypes() != null) body.put("accept_types", acceptance.acceptTypes());
    checkIdempotencyKey(idempotencyKey);
    return transport.send(path, body, idempotencyKey == null ? "sdk-" + UUID.randomUUID() : idempotencyKey);
  }

  /** Shows the service's address, never the key. */
  @Override
  public String toString() {
    return "Checkline[" + baseUrl + "]";
  }
}
