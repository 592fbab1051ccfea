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
   * With the code {@code VALIDATION_FAILED}: what's wrong with each field.
   *
   * @return messages by the field's API name; may be empty, never null
   */
  public Map<String, String> fields() {
    return Map.copyOf(fields);
  }
}
