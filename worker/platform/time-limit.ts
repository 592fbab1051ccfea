/** Work that didn't finish in time. It may still take effect. */
class TimeLimitError extends Error {
  override readonly name = "TimeLimitError";
}

export type Sleep = (ms: number) => Promise<void>;

/** Resolves after this many milliseconds. @throws the signal's reason, once it is aborted */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    function stop(): void {
      clearTimeout(timer);
      reject(signal!.reason);
    }
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/**
 * The outcome of some work, awaited for a limited time in milliseconds. Required for work of another request: when the
 * platform kills that request, its promises never settle.
 * @throws TimeLimitError
 */
export function within<Value>(work: Promise<Value>, ms: number, wait: Sleep): Promise<Value> {
  async function late(): Promise<never> {
    await wait(ms);
    throw new TimeLimitError(`No response within ${ms} ms`);
  }
  return Promise.race([work, late()]);
}
