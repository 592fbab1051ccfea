package example.checkline;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;

/**
 * JSON according to RFC 8259, since the JDK has no parser. Values are {@code Map<String, Object>}, {@code
 * List<Object>}, {@code String}, {@code Double}, {@code Boolean}, and null.
 */
final class Json {
  /** Deeper than any response, and shallow enough for every stack: a level takes two calls. */
  private static final int MAX_DEPTH = 256;

  private final String text;
  private int at = 0;

  private Json(String text) {
    this.text = text;
  }

  /** The input is not JSON. */
  static final class MalformedException extends Exception {
    private static final long serialVersionUID = 1;

    MalformedException(String message) {
      super(message);
    }
  }

  /** Parses one value in UTF-8, with nothing after it. */
  static Object read(byte[] bytes) throws MalformedException {
    try {
      return read(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException notUtf8) {
      throw new MalformedException("not UTF-8");
    }
  }

  /** Parses one value, with nothing after it. */
  static Object read(String text) throws MalformedException {
    Json json = new Json(text);
    Object value = json.value(0);
    json.skipSpace();
    if (json.at < text.length()) throw json.malformed();
    return value;
  }

  private Object value(int depth) throws MalformedException {
    if (depth > MAX_DEPTH) throw malformed();
    skipSpace();
    return switch (peek()) {
      case '{' -> object(depth);
      case '[' -> array(depth);
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", null);
      default -> number();
    };
  }

  private Map<String, Object> object(int depth) throws MalformedException {
    Map<String, Object> object = new LinkedHashMap<>();
    expect('{');
    skipSpace();
    if (accept('}')) return object;
    do {
      skipSpace();
      String name = string();
      skipSpace();
      expect(':');
      object.put(name, value(depth + 1));
      skipSpace();
    } while (accept(','));
    expect('}');
    return object;
  }

  private List<Object> array(int depth) throws MalformedException {
    List<Object> array = new ArrayList<>();
    expect('[');
    skipSpace();
    if (accept(']')) return array;
    do {
      array.add(value(depth + 1));
      skipSpace();
    } while (accept(','));
    expect(']');
    return array;
  }

  private String string() throws MalformedException {
    StringBuilder string = new StringBuilder();
    expect('"');
    for (char next = next(); next != '"'; next = next()) {
      if (next < ' ') throw malformed();
      string.append(next == '\\' ? escaped() : next);
    }
    return string.toString();
  }

  private char escaped() throws MalformedException {
    char escape = next();
    return switch (escape) {
      case '"', '\\', '/' -> escape;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> (char) (hexDigit() << 12 | hexDigit() << 8 | hexDigit() << 4 | hexDigit());
      default -> throw malformed();
    };
  }

  private int hexDigit() throws MalformedException {
    char next = next();
    // Character.digit would accept the digits of other scripts too.
    int digit = next < 128 ? Character.digit(next, 16) : -1;
    if (digit < 0) throw malformed();
    return digit;
  }

  private Double number() throws MalformedException {
    int start = at;
    accept('-');
    if (!accept('0')) digits();
    if (accept('.')) digits();
    if (accept('e') || accept('E')) {
      if (!accept('+')) accept('-');
      digits();
    }
    return Double.valueOf(text.substring(start, at));
  }

  private void digits() throws MalformedException {
    int start = at;
    while (peek() >= '0' && peek() <= '9') at++;
    if (at == start) throw malformed();
  }

  private Object word(String word, Object value) throws MalformedException {
    if (!text.startsWith(word, at)) throw malformed();
    at += word.length();
    return value;
  }

  private void skipSpace() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') at++;
  }

  /** The next character; past the end U+FFFF, which starts no value. */
  private char peek() {
    return at < text.length() ? text.charAt(at) : '\uffff';
  }

  private char next() throws MalformedException {
    if (at == text.length()) throw malformed();
    return text.charAt(at++);
  }

  private boolean accept(char expected) {
    if (peek() != expected) return false;
    at++;
    return true;
  }

  private void expect(char expected) throws MalformedException {
    if (!accept(expected)) throw malformed();
  }

  private MalformedException malformed() {
    return new MalformedException("not JSON at character " + at);
  }

  /** Writes a value of the types that {@link #read} returns, or any number. */
  static String write(Object value) {
    StringBuilder out = new StringBuilder();
    write(value, out);
    return out.toString();
  }

  private static void write(Object value, StringBuilder out) {
    if (value instanceof String string) {
      writeString(string, out);
    } else if (value instanceof Map<?, ?> map) {
      String separator = "{";
      for (Entry<?, ?> entry : map.entrySet()) {
        writeString((String) entry.getKey(), out.append(separator));
        write(entry.getValue(), out.append(':'));
        separator = ",";
      }
      out.append(map.isEmpty() ? "{}" : "}");
    } else if (value instanceof List<?> list) {
      String separator = "[";
      for (Object item : list) {
        write(item, out.append(separator));
        separator = ",";
      }
      out.append(list.isEmpty() ? "[]" : "]");
    } else {
      out.append(value);
    }
  }

  private static void writeString(String string, StringBuilder out) {
    out.append('"');
    // A lone surrogate is its own code point here; UTF-8 can't encode it, an escape can.
    string.codePoints().forEach(point -> {
      if (point == '"' || point == '\\') out.append('\\').append((char) point);
      else if (point < ' ' || point >= 0xd800 && point <= 0xdfff) out.append(String.format("\\u%04x", point));
      else out.appendCodePoint(point);
    });
    out.append('"');
  }
}
