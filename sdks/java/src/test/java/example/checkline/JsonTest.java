package example.checkline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
  @Test
  void parsesEveryKindOfValue() throws Exception {
    Object read = Json.read(" {\"a\": [null, true, false, -0, 1.5e3, 2E-1, \"\"], \"b\": {}, \"c\": []}\r\n\t");
    assertEquals(
        Map.of("a", Arrays.asList(null, true, false, -0.0, 1500.0, 0.2, ""), "b", Map.of(), "c", List.of()), read);
  }

  @Test
  void parsesEscapesAndSurrogatePairs() throws Exception {
    assertEquals("\"\\/\b\f\n\r\té😀😀", Json.read("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00E9\\ud83d\\ude00😀\""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", "{", "[", "\"", "{]", "[1,]", "{\"a\":1,}", "{\"a\" 1}", "{a: 1}", "{'a': 1}", "[1 2]", "1 2", "nul", "truth",
        "01", "+1", "1.", ".5", "1e", "-", "NaN", "Infinity", "0x1", "\"\n\"", "\"\\x\"", "\"\\u00g0\"", "\"\\u00\"", "\"\\u٠٠٠٠\"",
        "// a\n1", "\u00a01", "\ufeff1",
      })
  void rejectsInvalidJson(String text) {
    assertThrows(Json.MalformedException.class, () -> Json.read(text));
  }

  @Test
  void rejectsInvalidUtf8() {
    assertThrows(Json.MalformedException.class, () -> Json.read(new byte[] {'"', (byte) 0xff, '"'}));
  }

  @Test
  void rejectsNestingThatWouldOverflowTheStack() throws Exception {
    assertEquals(List.of(List.of()), Json.read("[[]]"));
    assertThrows(Json.MalformedException.class, () -> Json.read("[".repeat(100_000)));
    assertThrows(Json.MalformedException.class, () -> Json.read("[".repeat(300) + "]".repeat(300)));
    Json.read("[".repeat(200) + "]".repeat(200));
  }

  @Test
  void serializesWhatItParses() throws Exception {
    String text = "{\"a\":[null,true,1.5,\"\\\"\\\\\\u0007é😀\"],\"b\":{},\"c\":[]}";
    assertEquals(text, Json.write(Json.read(text)));
  }

  @Test
  void escapesALoneSurrogate() {
    assertEquals("\"\\ud83d \\ude00\"", Json.write("\ud83d \ude00"));
  }
}
