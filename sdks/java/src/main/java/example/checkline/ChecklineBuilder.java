package example.checkline;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Builds a client with other settings than the defaults. Created by {@link Checkline#builder()}. */
public final class ChecklineBuilder {
  private static final String DEFAULT_BASE_URL = "https://checkline.example";

  private static final String NO_SERVICE =
      "There's no service at a .example address. Pass baseUrl or set CHECKLINE_BASE_URL to yours.";

  /** The longest that timers on every platform can wait. */
  private static final Duration LONGEST_TIMEOUT = Duration.ofMillis(Integer.MAX_VALUE);

  /** Matches a base URL and an optional API path. A host named "api" is not part of the path. */
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final String API_PATH = "(?i)^(https?://[^/]+.*?)(/+api/v1)?/*$";

  private String apiKey;
  private String baseUrl;
  private Duration connectTimeout = Duration.ofSeconds(5);
  private Duration timeout = Duration.ofSeconds(10);
  private Duration deadline;
  private int maxRetries = 2;
  private Duration maxWait = Duration.ofSeconds(60);
  private Consumer<ResponseInfo> onResponse = response -> {};
  private HttpClient httpClient;

  private UnaryOperator<String> environment = System::getenv;
  private Transport.Clockwork clockwork =
      new Transport.Clockwork(
          pause -> Thread.sleep(pause.toMillis()), () -> ThreadLocalRandom.current().nextDouble());

  ChecklineBuilder() {}

  /**
   * Sets the API key. Defaults to the environment variable {@code CHECKLINE_API_KEY}.
   *
   * @param key an API key, {@code ch_live_…} or {@code ch_test_…}; null counts as absent
   * @return this builder
   */
  public ChecklineBuilder apiKey(String key) {
    this.apiKey = key;
    return this;
  }

  /**
   * Sets the service URL. Defaults to the environment variable {@code CHECKLINE_BASE_URL}, then to {@code
   * https://checkline.example}.
   *
   * @param url an https URL, or an http URL for localhost, 127.0.0.1, or [::1], without user, query, or fragment; it may have a
   *     path and end in {@code /api/v1} or slashes; null counts as absent
   * @return this builder
   */
  public ChecklineBuilder baseUrl(String url) {
    this.baseUrl = url;
    return this;
  }

  /**
   * How long it may take to connect. Your own HTTP client has its own limit instead.
   *
   * @param limit longer than zero, and at most {@code Integer.MAX_VALUE} milliseconds; 5 seconds by default
   * @return this builder
   */
  public ChecklineBuilder connectTimeout(Duration limit) {
    this.connectTimeout = checkedLimit(limit);
    return this;
  }

  /**
   * The time limit of one attempt, from connecting through the last byte of the body.
   *
   * @param limit longer than zero, and at most {@code Integer.MAX_VALUE} milliseconds; 10 seconds by default
   * @return this builder
   */
  public ChecklineBuilder timeout(Duration limit) {
    this.timeout = checkedLimit(limit);
    return this;
  }

  /**
   * The time limit of a whole call, with its retries and waits; of a list, each request; a stream has none. A wait that
   * doesn't fit isn't started: the exception is thrown immediately.
   *
   * @param limit longer than zero, and at most {@code Integer.MAX_VALUE} milliseconds; none by default
   * @return this builder
   */
  public ChecklineBuilder deadline(Duration limit) {
    this.deadline = checkedLimit(limit);
    return this;
  }

  /**
   * How often to retry a call after a failed connection, a 429 or a 5xx.
   *
   * @param count 0 or more; 2 by default
   * @return this builder
   */
  public ChecklineBuilder maxRetries(int count) {
    if (count < 0) throw new IllegalArgumentException("maxRetries must not be negative.");
    this.maxRetries = count;
    return this;
  }

  /**
   * The longest {@code Retry-After} wait to accept. If the service asks for more, the exception is thrown immediately.
   *
   * @param limit zero or longer, and at most {@code Integer.MAX_VALUE} milliseconds; 60 seconds by default
   * @return this builder
   */
  public ChecklineBuilder maxWait(Duration limit) {
    this.maxWait = limit.isZero() ? limit : checkedLimit(limit);
    return this;
  }

  /**
   * Called with each response, including retried ones, for logging. Calls in several threads call it in them; if it
   * throws, so does the call.
   *
   * @param hook the hook
   * @return this builder
   */
  public ChecklineBuilder onResponse(Consumer<ResponseInfo> hook) {
    this.onResponse = Objects.requireNonNull(hook, "hook");
    return this;
  }

  /**
   * The HTTP client that makes the requests, for example with your own proxy or executor.
   *
   * @param client a client that follows no redirects, so that the key never reaches another host
   * @return this builder
   */
  public ChecklineBuilder httpClient(HttpClient client) {
    if (client.followRedirects() != HttpClient.Redirect.NEVER) {
      throw new IllegalArgumentException("The HTTP client must not follow redirects: use HttpClient.Redirect.NEVER.");
    }
    this.httpClient = client;
    return this;
  }

  /** For tests: replaces the process's environment. */
  ChecklineBuilder environment(UnaryOperator<String> variables) {
    this.environment = variables;
    return this;
  }

  /** For tests: replaces time and randomness. */
  ChecklineBuilder clockwork(Transport.Clockwork instead) {
    this.clockwork = instead;
    return this;
  }

  /**
   * Creates the client.
   *
   * @return a client, which later changes to this builder don't affect
   * @throws IllegalArgumentException if there is no key, or the key or base URL is invalid
   */
  public Checkline build() {
    String key = checkedKey(chosen(apiKey, "CHECKLINE_API_KEY"));
    String url = chosen(baseUrl, "CHECKLINE_BASE_URL");
    String address = checkedUrl(url == null ? DEFAULT_BASE_URL : url);
    HttpClient http = httpClient == null ? ownClient() : httpClient;
    return new Checkline(address, new Transport(http, address, key, timeout, deadline, maxRetries, maxWait, onResponse, clockwork));
  }

  private HttpClient ownClient() {
    return HttpClient.newBuilder().connectTimeout(connectTimeout).followRedirects(HttpClient.Redirect.NEVER).build();
  }

  /** The given value, or else the environment's; null if there is none. */
  private String chosen(String given, String variable) {
    if (given != null) return given;
    String found = environment.apply(variable);
    return found == null || found.isEmpty() ? null : found;
  }

  private static String checkedKey(String key) {
    if (key == null || key.isEmpty()) {
      throw new IllegalArgumentException("No API key. Pass apiKey or set CHECKLINE_API_KEY.");
    }
    // The JDK's error about such a header would quote it.
    if (!key.matches("[\\x21-\\x7e]+")) throw new IllegalArgumentException("The API key has characters that no key has.");
    return key;
  }

  private static String checkedUrl(String url) {
    try {
      URI uri = new URI(url);
      // Over http, anyone on the network path could read the key.
      boolean web =
          "https".equalsIgnoreCase(uri.getScheme())
              || ("http".equalsIgnoreCase(uri.getScheme())
                  && uri.getHost() != null
                  && LOOPBACK.contains(uri.getHost().toLowerCase(Locale.ROOT)));
      boolean plain = uri.getRawUserInfo() == null && uri.getRawQuery() == null && uri.getRawFragment() == null;
      // Building a package for a site replaces the default with the site's address.
      if (plain && uri.getHost() != null && uri.getHost().toLowerCase(Locale.ROOT).endsWith(".example")) {
        throw new IllegalArgumentException(NO_SERVICE);
      }
      if (web && plain && uri.getHost() != null && uri.getPort() <= 65535) return url.replaceFirst(API_PATH, "$1");
    } catch (URISyntaxException notAUrl) {
      // Reported below without the text, which might contain a password.
    }
    throw new IllegalArgumentException(
        "The base URL must be an https URL without user, query, or fragment; "
            + "http is only for localhost, 127.0.0.1, and [::1].");
  }

  private static Duration checkedLimit(Duration limit) {
    Objects.requireNonNull(limit, "limit");
    if (limit.isZero() || limit.isNegative() || limit.compareTo(LONGEST_TIMEOUT) > 0) {
      throw new IllegalArgumentException("A timeout must be longer than zero, and at most " + LONGEST_TIMEOUT + ".");
    }
    return limit;
  }
}
