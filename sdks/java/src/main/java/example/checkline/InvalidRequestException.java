package example.checkline;

import java.util.HashMap;
import java.util.Map;

/** The service rejected the request, or a number of a stream: any other 4xx status. */
public final class InvalidRequestException extends ChecklineException implements StreamItem {
  private static final long serialVersionUID = 1;

  /** Problems by field. */
  private final HashMap<String, String> fields;

  InvalidRequestException(Details details, Map<String, String> fields) {
    super(details, null);
    this.fields = new HashMap<>(fields);
  }

  /**
   * With the code {@code VALIDATION_FAILED}: the problem with each invalid field.
   *
   * @return problems by the field's API name; possibly empty, never null
   */
  public Map<String, String> fields() {
    return Map.copyOf(fields);
  }
}
