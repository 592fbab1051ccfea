package example.checkline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BuilderTest {
  private static ChecklineBuilder builder(Map<String, String> environment) {
    return Checkline.builder().environment(environment::get);
  }

  private static String rejection(ChecklineBuilder builder) {
    return assertThrows(IllegalArgumentException.class, builder::build).getMessage();
  }

  /** A library served by a site has the site's address; the sources' address belongs to no one. */
  @Test
  void rejectsAPlaceholderAddress() {
    Map<String, String> environment = Map.of("CHECKLINE_API_KEY", "k");
    assertTrue(rejection(builder(environment)).contains("set CHECKLINE_BASE_URL"));
    assertTrue(rejection(builder(environment).baseUrl("https://api.EXAMPLE:8443/api/v1")).contains(".example"));
  }

  @Test
  void readsTheEnvironment() throws Exception {
    try (StandIn service = new StandIn(200, StandIn.VALID)) {
      Map<String, String> environment = Map.of("CHECKLINE_API_KEY", "from-environment", "CHECKLINE_BASE_URL", service.url());
      builder(environment).build().verify("+5511987654321");
      builder(environment).apiKey("from-argument").build().verify("+5511987654321");
      assertEquals("Bearer from-environment", service.seen.get(0).headers().getFirst("Authorization"));
      assertEquals("Bearer from-argument", service.seen.get(1).headers().getFirst("Authorization"));
    }
  }

  @Test
  void theBaseUrlArgumentOverridesTheEnvironment() {
    Map<String, String> environment = Map.of("CHECKLINE_API_KEY", "k", "CHECKLINE_BASE_URL", "https://environment.test");
    assertEquals("Checkline[https://environment.test]", builder(environment).build().toString());
    assertEquals("Checkline[https://argument.test/x]", builder(environment).baseUrl("https://argument.test/x///").build().toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://h/x", "HTTP://LOCALHOST:8787", "http://[::1]:", "http://127.0.0.1", "https://h/a:", "https://api/v1", "https://h/my-api/v1"})
  void theBaseUrlMayEndWithTheApiPath(String url) {
    for (String end : List.of("", "/", "///", "/api/v1", "/API/v1/", "//api/v1//")) {
      assertEquals("Checkline[" + url + "]", builder(Map.of()).apiKey("k").baseUrl(url + end).build().toString());
    }
  }

  @Test
  void explainsAMissingKey() {
    assertTrue(rejection(builder(Map.of())).contains("CHECKLINE_API_KEY"));
    assertTrue(rejection(builder(Map.of("CHECKLINE_API_KEY", ""))).contains("CHECKLINE_API_KEY"));
    assertTrue(rejection(builder(Map.of()).apiKey("")).contains("CHECKLINE_API_KEY"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"secret\n", "secret key", "secret\u00e9", "secret\r\nX-Other: 1"})
  void rejectsAKeyThatIsAnInvalidHeaderWithoutQuotingIt(String key) {
    assertFalse(rejection(builder(Map.of()).apiKey(key)).contains("secret"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "checkline.test", "ftp://checkline.test", "file:///etc", "https://", "https:///path", "https://a b", "mailto:a@b",
        "https://secret@checkline.test", "https://checkline.test?secret", "https://checkline.test#secret",
        "https://user:secret@checkline.test/", "https://checkline.test:65536",
        "http://secret.test", "http://localhost.test", "http://127.0.0.1.test", "http://127.0.0.2", "http://[::2]",
      })
  void rejectsAnInvalidBaseUrl(String url) {
    String message = rejection(builder(Map.of("CHECKLINE_API_KEY", "k")).baseUrl(url));
    assertTrue(message.contains("base URL") && !message.contains("secret"), message);
  }

  @Test
  void rejectsInvalidLimits() {
    ChecklineBuilder builder = Checkline.builder();
    assertThrows(IllegalArgumentException.class, () -> builder.timeout(Duration.ZERO));
    assertThrows(IllegalArgumentException.class, () -> builder.connectTimeout(Duration.ofSeconds(-1)));
    assertThrows(IllegalArgumentException.class, () -> builder.maxRetries(-1));
    assertThrows(IllegalArgumentException.class, () -> builder.maxWait(Duration.ofMillis(-1)));
    assertThrows(IllegalArgumentException.class, () -> builder.maxWait(Duration.ofDays(30)));
    for (Duration limit : List.of(Duration.ofSeconds(Long.MAX_VALUE), Duration.ofMillis(Integer.MAX_VALUE).plusNanos(1))) {
      assertThrows(IllegalArgumentException.class, () -> builder.timeout(limit));
      assertThrows(IllegalArgumentException.class, () -> builder.connectTimeout(limit));
    }
  }

  @Test
  void acceptsTheHighestLimits() throws Exception {
    try (StandIn service = new StandIn(200, StandIn.VALID)) {
      Duration longest = Duration.ofMillis(Integer.MAX_VALUE);
      assertTrue(service.client().timeout(longest).connectTimeout(longest).build().verify("1").valid());
    }
  }

  @Test
  void aNullKeyIsMissing() {
    Map<String, String> environment = Map.of("CHECKLINE_API_KEY", "k");
    assertEquals("Checkline[https://h]", builder(environment).apiKey(null).baseUrl("https://h").build().toString());
    assertTrue(rejection(builder(Map.of()).apiKey(null)).contains("CHECKLINE_API_KEY"));
    if (System.getenv("CHECKLINE_API_KEY") == null || System.getenv("CHECKLINE_BASE_URL") == null) {
      assertThrows(IllegalArgumentException.class, () -> new Checkline(null));
    } else {
      assertTrue(new Checkline(null).toString().startsWith("Checkline[http"));
    }
  }

  @Test
  void rejectsAnHttpClientThatFollowsRedirects() {
    HttpClient following = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();
    assertThrows(IllegalArgumentException.class, () -> Checkline.builder().httpClient(following));
  }
}
