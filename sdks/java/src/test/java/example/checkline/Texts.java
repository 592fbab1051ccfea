package example.checkline;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.PrintWriter;
import java.io.Serializable;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Every textual form of values: printed, logged, and serialized. */
final class Texts {
  private Texts() {}

  static List<String> of(Object... values) {
    List<String> texts = new ArrayList<>();
    for (Object value : values) {
      texts.add(String.valueOf(value));
      if (value instanceof Throwable error) {
        StringWriter trace = new StringWriter();
        error.printStackTrace(new PrintWriter(trace));
        texts.add(trace.toString());
      }
      if (value instanceof Serializable) texts.add(serialized(value));
    }
    return texts;
  }

  private static String serialized(Object value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
    return bytes.toString(StandardCharsets.ISO_8859_1);
  }
}
