import { beforeEach, expect, test, vi } from "vitest";
import { sleep } from "./time-limit.ts";

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

test("a sleep that ends leaves nothing on its signal, and one that is aborted no timer", async () => {
  const { signal } = new AbortController();
  const added = vi.spyOn(signal, "addEventListener");
  const removed = vi.spyOn(signal, "removeEventListener");
  const slept = sleep(1_000, signal);
  await vi.advanceTimersByTimeAsync(1_000);
  await slept;
  expect(removed.mock.calls[0]?.slice(0, 2)).toStrictEqual(added.mock.calls[0]?.slice(0, 2));

  const stop = new AbortController();
  const stopped = expect(sleep(1_000, stop.signal)).rejects.toThrow("gone");
  stop.abort(new Error("gone"));
  await stopped;
  expect(vi.getTimerCount()).toBe(0);
});

test("a signal that is already aborted ends a sleep immediately", async () => {
  await expect(sleep(1_000, AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
  expect(vi.getTimerCount()).toBe(0);
});
