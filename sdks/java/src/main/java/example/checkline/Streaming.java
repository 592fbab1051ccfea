package example.checkline;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/** The items of a stream of numbers, in order: requests are sent one after another, as items are consumed. */
final class Streaming implements Iterator<StreamItem> {
  /** A request's lines fit into a connection's buffers, whichever side reads first. */
  private static final int MAX_LINES = 500;

  private static final int MAX_CHARACTERS = 32768;

  private final Iterator<PhoneNumber> numbers;
  private final Map<String, Object> shared;
  private final Transport transport;
  private final Deque<StreamItem> ready = new ArrayDeque<>();
  private List<String> lines = List.of();
  private int retries;

  /** Numbers read so far. */
  private int read;

  /** What ends the stream after the ready items. */
  private ChecklineException failure;

  Streaming(Iterator<PhoneNumber> numbers, Map<String, Object> shared, Transport transport) {
    this.numbers = numbers;
    this.shared = shared;
    this.transport = transport;
  }

  @Override
  public boolean hasNext() {
    while (ready.isEmpty()) {
      if (failure != null) throw failure;
      if (lines.isEmpty()) fill();
      if (lines.isEmpty()) return false;
      send();
    }
    return true;
  }

  @Override
  public StreamItem next() {
    if (!hasNext()) throw new NoSuchElementException();
    return ready.remove();
  }

  private void fill() {
    lines = new ArrayList<>();
    retries = 0;
    for (int size = 0; lines.size() < MAX_LINES && size < MAX_CHARACTERS && numbers.hasNext(); ) {
      Map<String, Object> line = new LinkedHashMap<>(shared);
      line.putAll(PhoneNumber.read(numbers.next(), read++).fields());
      lines.add(Json.write(line));
      size += lines.get(lines.size() - 1).length() + 1;
    }
  }

  /** Makes one attempt at the lines. One that is cut off isn't retried: its numbers may have been counted. */
  private void send() {
    Answer answer = transport.sendLines(String.join("\n", lines) + "\n", retries + 1);
    if (!answer.succeeded()) {
      ChecklineException rejected = Reader.failure(answer);
      transport.sleep(transport.pauseAfter(answer, rejected, retries), rejected);
      retries++;
      return;
    }
    Answer ending = read(answer);
    lines = lines.subList(ready.size(), lines.size());
    if (ending == null || failure != null) {
      if (!lines.isEmpty() && failure == null) failure = Reader.unusable(answer);
      return;
    }
    Duration asked = ending.retryAfter();
    boolean mayContinue = ending.status() == 503 && asked != null && asked.compareTo(transport.maxWait()) <= 0;
    if (mayContinue && retries < transport.maxRetries()) {
      transport.sleep(asked, Reader.failure(ending));
      retries++;
    } else {
      failure = Reader.failure(ending);
    }
  }

  /** Adds the response's items to the ready ones, and returns the line that ended the stream, or null. */
  private Answer read(Answer answer) {
    for (String text : new String(answer.body(), StandardCharsets.UTF_8).split("\n")) {
      if (text.isBlank()) continue;
      Answer line = answer.line(text);
      if (line.isEnding()) return line;
      StreamItem item = Reader.streamItem(line, answer.info());
      if (item == null || ready.size() == lines.size()) {
        failure = Reader.unusable(answer);
        return null;
      }
      ready.add(item);
    }
    return null;
  }
}
