package example.checkline;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A call's options. Immutable: each method returns a copy with one change.
 *
 * <pre>{@code
 * LookupOptions.country("GB").withAcceptTypes(NumberType.MOBILE)
 * }</pre>
 */
public final class LookupOptions {
  private static final LookupOptions DEFAULTS = new LookupOptions(null, null, null, null, false, null, 4);

  private final String country;
  private final String expectCountry;
  private final List<String> acceptTypes;
  private final List<String> acceptLineTypes;
  private final boolean rejectUnallocated;
  private final String idempotencyKey;
  private final int concurrency;

  private LookupOptions(
      String country,
      String expectCountry,
      List<String> acceptTypes,
      List<String> acceptLineTypes,
      boolean rejectUnallocated,
      String idempotencyKey,
      int concurrency) {
    this.country = country;
    this.expectCountry = expectCountry;
    this.acceptTypes = acceptTypes;
    this.acceptLineTypes = acceptLineTypes;
    this.rejectUnallocated = rejectUnallocated;
    this.idempotencyKey = idempotencyKey;
    this.concurrency = concurrency;
  }

  /**
   * Options with the defaults.
   *
   * @return the options of a call without any
   */
  public static LookupOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Options for numbers in national format.
   *
   * @param country ISO 3166-1 alpha-2, or null
   * @return options with this country
   */
  public static LookupOptions country(String country) {
    return DEFAULTS.withCountry(country);
  }

  /**
   * Sets the country of numbers in national format.
   *
   * @param country ISO 3166-1 alpha-2, or null
   * @return options with this country
   */
  public LookupOptions withCountry(String country) {
    return new LookupOptions(
        country, expectCountry, acceptTypes, acceptLineTypes, rejectUnallocated, idempotencyKey, concurrency);
  }

  /**
   * Sets the country that numbers must belong to. Sets {@link LookupResult#accepted()}.
   *
   * @param country ISO 3166-1 alpha-2, or null
   * @return options with this condition
   */
  public LookupOptions withExpectCountry(String country) {
    return new LookupOptions(
        this.country, country, acceptTypes, acceptLineTypes, rejectUnallocated, idempotencyKey, concurrency);
  }

  /**
   * Sets the number types to accept. Sets {@link LookupResult#accepted()}.
   *
   * @param types for example {@link NumberType#MOBILE}
   * @return options with this condition
   */
  public LookupOptions withAcceptTypes(String... types) {
    return new LookupOptions(
        country, expectCountry, List.of(types), acceptLineTypes, rejectUnallocated, idempotencyKey, concurrency);
  }

  /**
   * Sets the line types to accept. Sets {@link LookupResult#accepted()}.
   *
   * @param types for example {@link LineType#MOBILE} and {@code unknown}
   * @return options with this condition
   */
  public LookupOptions withAcceptLineTypes(String... types) {
    return new LookupOptions(
        country, expectCountry, acceptTypes, List.of(types), rejectUnallocated, idempotencyKey, concurrency);
  }

  /**
   * Sets whether to reject numbers in unassigned ranges. Sets {@link LookupResult#accepted()}.
   *
   * @param rejects false by default
   * @return options with this condition
   */
  public LookupOptions withRejectUnallocated(boolean rejects) {
    return new LookupOptions(
        country, expectCountry, acceptTypes, acceptLineTypes, rejects, idempotencyKey, concurrency);
  }

  /**
   * Names the call, so that a repeat is not charged again. To a list's name, each request adds {@code -1}, {@code -2}
   * and so on. A stream can't have one.
   *
   * @param key 1 to 255 printable ASCII characters without spaces, or null for a new key
   * @return options with this key
   * @throws IllegalArgumentException for any other key
   */
  public LookupOptions withIdempotencyKey(String key) {
    if (key != null && !key.matches("[\\x21-\\x7e]{1,255}")) {
      throw new IllegalArgumentException("An Idempotency-Key is 1 to 255 printable ASCII characters without spaces.");
    }
    return new LookupOptions(
        country, expectCountry, acceptTypes, acceptLineTypes, rejectUnallocated, key, concurrency);
  }

  /**
   * Sets the most concurrent requests of {@link Checkline#lookupAll(Iterable, LookupOptions)}; 4 by default.
   *
   * @param most 1 or more
   * @return options with this concurrency
   * @throws IllegalArgumentException for less than 1
   */
  public LookupOptions withConcurrency(int most) {
    if (most < 1) throw new IllegalArgumentException("The concurrency must be 1 or more.");
    return new LookupOptions(
        country, expectCountry, acceptTypes, acceptLineTypes, rejectUnallocated, idempotencyKey, most);
  }

  /** The caller's own key, or null. */
  String idempotencyKey() {
    return idempotencyKey;
  }

  int concurrency() {
    return concurrency;
  }

  /** A request's fields besides its numbers. */
  Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (country != null) fields.put("country", country);
    if (expectCountry != null) fields.put("expect_country", expectCountry);
    if (acceptTypes != null) fields.put("accept_types", acceptTypes);
    if (acceptLineTypes != null) fields.put("accept_line_types", acceptLineTypes);
    if (rejectUnallocated) fields.put("reject_unallocated", true);
    return fields;
  }
}
