package example.checkline;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Runs the examples as separate programs against the real service, with the sandbox's numbers. */
@EnabledIfEnvironmentVariable(
    named = "CHECKLINE_CONFORMANCE_URL",
    matches = ".+",
    disabledReason = "CHECKLINE_CONFORMANCE_URL is not set: the examples do not run")
class ExamplesTest {
  private record Ran(int exit, String out, String err) {}

  private static Ran run(List<String> library, String example, Map<String, String> environment)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.addAll(library);
    command.add(Path.of("examples", example).toString());
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ran(process.waitFor(), out, err);
  }

  private static String library() {
    return Path.of(Checkline.class.getProtectionDomain().getCodeSource().getLocation().getPath()).toString();
  }

  private static Ran run(String example) throws Exception {
    return run(List.of("--class-path", library()), example, Map.of());
  }

  @Test
  void verify() throws Exception {
    assertEquals(new Ran(0, "true Brazil TIM mobile\n", ""), run("Verify.java"));
  }

  @Test
  void verifyAsAModule() throws Exception {
    List<String> module = List.of("--module-path", library(), "--add-modules", "example.checkline");
    assertEquals(new Ran(0, "true Brazil TIM mobile\n", ""), run(module, "Verify.java", Map.of()));
  }

  @Test
  void verifyWithAWrongKey() throws Exception {
    Ran ran = run(List.of("--class-path", library()), "Verify.java", Map.of("CHECKLINE_API_KEY", "ch_test_wrong"));
    assertEquals(new Ran(1, "", "INVALID_API_KEY: The API key is invalid.\n"), ran);
  }

  @Test
  void simple() throws Exception {
    assertEquals(new Ran(0, "TIM true\n", ""), run("Simple.java"));
  }

  @Test
  void batch() throws Exception {
    String expected = "+5511987654321: Brazil\n+12025550109: REJECTED_SUBSCRIBER_ABSENT\n+442079460018: United Kingdom\n";
    assertEquals(new Ran(0, expected, ""), run("Batch.java"));
  }

  @Test
  void stream() throws Exception {
    String expected = "+5511987654321\n+442079460018\nREJECTED_SUBSCRIBER_ABSENT\n";
    assertEquals(new Ran(0, expected, ""), run("Stream.java"));
  }

  @Test
  void quota() throws Exception {
    assertEquals(new Ran(0, "trial 0 1000\n", ""), run("ReadQuota.java"));
  }

  @Test
  void retry() throws Exception {
    assertEquals(new Ran(0, "Brazil\n", ""), run("Retry.java"));
  }
}
