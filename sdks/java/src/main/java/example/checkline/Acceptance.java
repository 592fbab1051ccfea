package example.checkline;

import java.util.List;

/**
 * What you accept. {@link LookupResult#accepted()} then says whether a number is that.
 *
 * @param expectCountry ISO 3166-1 alpha-2 country that numbers must belong to, or null
 * @param acceptTypes number types that are accepted, for example {@code mobile}, or null
 */
public record Acceptance(String expectCountry, List<String> acceptTypes) {
  /**
   * Keeps a copy of the types.
   *
   * @param expectCountry ISO 3166-1 alpha-2 country that numbers must belong to, or null
   * @param acceptTypes number types that are accepted, or null
   */
  public Acceptance {
    acceptTypes = acceptTypes == null ? null : List.copyOf(acceptTypes);
  }

  /**
   * Accepts numbers of a country.
   *
   * @param country ISO 3166-1 alpha-2
   * @param types number types that are accepted; any where there are none
   * @return the condition
   */
  public static Acceptance of(String country, String... types) {
    return new Acceptance(country, types.length == 0 ? null : List.of(types));
  }
}
