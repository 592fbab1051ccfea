package example.checkline;

import java.util.HashMap;
import java.util.Map;

/** The service does not accept the request: any status 4xx without its own exception. */
public final class InvalidRequestException extends ChecklineException {
  private static final long serialVersionUID = 1;

  /** Complaints by field. */
  private final HashMap<String, String> fields;

  InvalidRequestException(Details details, Map<String, String> fields) {
    super(details, null);
    this.fields = new HashMap<>(fields);
  }

  /**
   * With the code {@code VALIDATION_FAILED}: what is wrong with each offending field.
   *
   * @return complaints by the field's name in the API; perhaps empty, never null
   */
  public Map<String, String> fields() {
    return Map.copyOf(fields);
  }
}
