package example.checkline;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The items of a list of any length, in order: requests are sent as items are consumed, several at a time. */
final class Listing implements Iterator<BatchItem> {
  private static final int MAX_BATCH = 100;

  /** Sends one request of the list. */
  interface Sender {
    /** The items of some numbers; requests are counted from 1. */
    List<BatchItem> send(List<PhoneNumber> numbers, int request);
  }

  private final Iterator<PhoneNumber> numbers;
  private final int concurrency;
  private final Sender sender;
  private final ThreadPoolExecutor threads;
  private final Deque<Future<List<BatchItem>>> pending = new ArrayDeque<>();
  private Iterator<BatchItem> ready = Collections.emptyIterator();
  private int requests;

  Listing(Iterator<PhoneNumber> numbers, int concurrency, Sender sender) {
    this.numbers = numbers;
    this.concurrency = concurrency;
    this.sender = sender;
    threads = new ThreadPoolExecutor(concurrency, concurrency, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
      Thread thread = new Thread(work, "checkline-list");
      thread.setDaemon(true);
      return thread;
    });
    // Threads end without close(), which is rarely called for abandoned streams.
    threads.allowCoreThreadTimeOut(true);
  }

  @Override
  public boolean hasNext() {
    while (!ready.hasNext()) {
      fill();
      if (pending.isEmpty()) return false;
      ready = take();
    }
    return true;
  }

  @Override
  public BatchItem next() {
    if (!hasNext()) throw new NoSuchElementException();
    return ready.next();
  }

  /** Ends pending requests. */
  void close() {
    threads.shutdownNow();
  }

  private void fill() {
    while (pending.size() < concurrency && numbers.hasNext()) {
      List<PhoneNumber> chunk = new ArrayList<>();
      while (chunk.size() < MAX_BATCH && numbers.hasNext()) chunk.add(numbers.next());
      int start = requests * MAX_BATCH;
      int request = ++requests;
      pending.add(threads.submit(() -> {
        for (int i = 0; i < chunk.size(); i++) PhoneNumber.read(chunk.get(i), start + i);
        return sender.send(chunk, request);
      }));
    }
  }

  private Iterator<BatchItem> take() {
    try {
      return pending.remove().get().iterator();
    } catch (InterruptedException interrupted) {
      close();
      Thread.currentThread().interrupt();
      throw new ConnectionException(ConnectionException.CONNECTION_FAILED, "The thread was interrupted.", null);
    } catch (ExecutionException failed) {
      close();
      if (failed.getCause() instanceof RuntimeException failure) throw failure;
      throw new IllegalStateException(failed.getCause());
    }
  }
}
