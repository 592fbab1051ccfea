package example.checkline;

import java.util.Map;
import java.util.Objects;

/**
 * A number of a list or stream.
 *
 * @param number the number, with + and calling code, or in national format
 * @param country its ISO 3166-1 alpha-2 country, in place of the call's, or null
 */
public record PhoneNumber(String number, String country) {
  /**
   * Creates a number with its country.
   *
   * @param number the number, with + and calling code, or in national format
   * @param country its ISO 3166-1 alpha-2 country, in place of the call's, or null
   */
  public PhoneNumber {
    Objects.requireNonNull(number, "number");
  }

  /**
   * A number without its own country.
   *
   * @param number the number, with + and calling code, or in the national format of the call's country
   * @return the number
   */
  public static PhoneNumber of(String number) {
    return new PhoneNumber(number, null);
  }

  /**
   * A number with its own country.
   *
   * @param number the number, with + and calling code, or in national format
   * @param country ISO 3166-1 alpha-2, or null
   * @return the number
   */
  public static PhoneNumber of(String number, String country) {
    return new PhoneNumber(number, country);
  }

  /** Its fields in a stream. */
  Map<String, Object> fields() {
    return country == null ? Map.of("number", number) : Map.of("number", number, "country", country);
  }

  /** How a batch has it: without a country, as a string. */
  Object batchItem() {
    return country == null ? number : fields();
  }
}
