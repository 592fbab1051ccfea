/** Work that has not ended in time. It may still take effect. */
class TimeLimitError extends Error {
  override readonly name = "TimeLimitError";
}

export type Sleep = (ms: number) => Promise<void>;

/** Ends after so many milliseconds. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/**
 * The outcome of some work, waited for no longer than so many milliseconds. Work of another request has to be waited for like this:
 * when the platform kills that request, its promises never settle.
 * @throws TimeLimitError
 */
export function within<Value>(work: Promise<Value>, ms: number, wait: Sleep): Promise<Value> {
  async function late(): Promise<never> {
    await wait(ms);
    throw new TimeLimitError(`No response within ${ms} ms`);
  }
  return Promise.race([work, late()]);
}
