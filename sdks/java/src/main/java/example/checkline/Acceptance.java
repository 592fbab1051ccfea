package example.checkline;

import java.util.List;

/**
 * What you accept. Sets {@link LookupResult#accepted()}.
 *
 * @param expectCountry ISO 3166-1 alpha-2 country that numbers must belong to, or null
 * @param acceptTypes number types to accept, for example {@code mobile}, or null
 */
public record Acceptance(String expectCountry, List<String> acceptTypes) {
  /**
   * Copies the types.
   *
   * @param expectCountry ISO 3166-1 alpha-2 country that numbers must belong to, or null
   * @param acceptTypes number types to accept, or null
   */
  public Acceptance {
    acceptTypes = acceptTypes == null ? null : List.copyOf(acceptTypes);
  }

  /**
   * Accepts numbers of a country.
   *
   * @param country ISO 3166-1 alpha-2
   * @param types number types to accept; any if empty
   * @return the condition
   */
  public static Acceptance of(String country, String... types) {
    return new Acceptance(country, types.length == 0 ? null : List.of(types));
  }
}
