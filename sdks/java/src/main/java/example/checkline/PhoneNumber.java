package example.checkline;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A number of a list or stream.
 *
 * @param number the number, with + and calling code, or in national format
 * @param country its ISO 3166-1 alpha-2 country, in place of the call's, or null
 * @param expectCountry the ISO 3166-1 alpha-2 country it must belong to, in place of the call's, or null
 */
public record PhoneNumber(String number, String country, String expectCountry) {
  /**
   * Creates a number with its own options.
   *
   * @param number the number, with + and calling code, or in national format
   * @param country its ISO 3166-1 alpha-2 country, in place of the call's, or null
   * @param expectCountry the ISO 3166-1 alpha-2 country it must belong to, in place of the call's, or null
   */
  public PhoneNumber {
    Objects.requireNonNull(number, "number is null");
  }

  /**
   * A number without options of its own.
   *
   * @param number the number, with + and calling code, or in the national format of the call's country
   * @return the number
   */
  public static PhoneNumber of(String number) {
    return new PhoneNumber(number, null, null);
  }

  /**
   * A number with its own country.
   *
   * @param number the number, with + and calling code, or in national format
   * @param country ISO 3166-1 alpha-2, or null
   * @return the number
   */
  public static PhoneNumber of(String number, String country) {
    return new PhoneNumber(number, country, null);
  }

  /** A number read from a list, whose position counts from 0. */
  static PhoneNumber read(PhoneNumber number, int index) {
    return Objects.requireNonNull(number, () -> "numbers[" + index + "] is null");
  }

  /**
   * The same number with the country that you expect.
   *
   * @param country the ISO 3166-1 alpha-2 country that it must belong to, in place of the call's, or null
   * @return the number
   */
  public PhoneNumber withExpectCountry(String country) {
    return new PhoneNumber(number, this.country, country);
  }

  /** Its fields in a stream. */
  Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("number", number);
    if (country != null) fields.put("country", country);
    if (expectCountry != null) fields.put("expect_country", expectCountry);
    return fields;
  }

  /** How a batch has it: without options, as a string. */
  Object batchItem() {
    return country == null && expectCountry == null ? number : fields();
  }
}
