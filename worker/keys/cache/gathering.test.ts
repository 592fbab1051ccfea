import { describe, expect, test } from "vitest";
import { createVirtualTime } from "../../../test/virtual-time.ts";
import { createGathering, GATHER_MS } from "./gathering.ts";
import type { Landed } from "./single-flight.ts";

function setUp() {
  const time = createVirtualTime();
  /** After the platform kills a request, its promises never settle. */
  let killed = false;
  const wait = (ms: number) => time.sleep(killed ? Infinity : ms);
  const gather = createGathering<string>({ timeout: 500, now: time.now, wait });
  const asked: (readonly string[])[] = [];

  async function answer(keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    asked.push(keys);
    await time.sleep(100);
    return new Map(keys.map((key) => [key, `value of ${key}`]));
  }

  /** Makes a request and records its outcome. */
  function request(key: string, ask = answer) {
    const made: { outcome: Landed<string> | Error | null } = { outcome: null };
    async function run(): Promise<void> {
      try {
        made.outcome = await gather(key, ask);
      } catch (error) {
        made.outcome = error as Error;
      }
    }
    void run();
    return made;
  }

  function kill(start: () => unknown): void {
    killed = true;
    start();
    killed = false;
  }

  return { time, request, kill, asked };
}

describe("questions within five seconds", () => {
  test("are sent as one, each key once, and each request gets its own result", async () => {
    const { time, request, asked } = setUp();
    const first = request("a");
    await time.pass(GATHER_MS - 1);
    const [second, repeated] = [request("b"), request("a")];
    await time.pass(1);
    expect(asked).toStrictEqual([["a", "b"]]);
    await time.pass(100);
    expect(first.outcome).toStrictEqual({ value: "value of a", asked: true });
    expect(second.outcome).toStrictEqual({ value: "value of b", asked: true });
    expect(repeated.outcome).toStrictEqual({ value: "value of a", asked: false });
  });

  test("are 1,000 at most; the next ones go into a separate question", async () => {
    const { time, request, asked } = setUp();
    for (let key = 0; key <= 1_000; key++) request(String(key));
    await time.pass(GATHER_MS);
    expect(asked.map((keys) => keys.length)).toStrictEqual([1_000, 1]);
  });

  test("share a failure, and the next question is sent again", async () => {
    const { time, request, asked } = setUp();
    const failing = [request("a", () => Promise.reject(new Error("overloaded"))), request("b")];
    await time.pass(GATHER_MS);
    expect(failing.map(({ outcome }) => (outcome as Error).message)).toStrictEqual(["overloaded", "overloaded"]);
    const next = request("a");
    await time.pass(GATHER_MS + 100);
    expect(next.outcome).toStrictEqual({ value: "value of a", asked: true });
    expect(asked).toStrictEqual([["a"]]);
  });

  test("share a timeout", async () => {
    const { time, request } = setUp();
    const hanging = [request("a", () => new Promise(() => {})), request("b")];
    await time.pass(GATHER_MS + 499);
    expect(hanging.map(({ outcome }) => outcome)).toStrictEqual([null, null]);
    await time.pass(1);
    expect(hanging.map(({ outcome }) => (outcome as Error).name)).toStrictEqual(["TimeLimitError", "TimeLimitError"]);
  });
});

test("when the request that would have asked is killed, its followers end and later ones ask", async () => {
  const { time, request, kill, asked } = setUp();
  kill(() => request("a"));
  const joined = request("b");
  await time.pass(GATHER_MS);
  const later = request("b");
  await time.pass(GATHER_MS + 100);
  expect((joined.outcome as Error).name).toBe("TimeLimitError");
  expect(later.outcome).toStrictEqual({ value: "value of b", asked: true });
  expect(asked).toStrictEqual([["b"]]);
});
