import { describe, expect, test } from "vitest";
import { createVirtualTime } from "../../../test/virtual-time.ts";
import { createSingleFlight } from "./single-flight.ts";
import type { Landed } from "./single-flight.ts";

function setUp() {
  const time = createVirtualTime();
  const share = createSingleFlight<string>({ timeout: 500, now: time.now, wait: time.sleep });
  let asked = 0;

  /** Makes a request and records its outcome. */
  function request(answer: (question: number) => Promise<string>) {
    const made: { outcome: Landed<string> | Error | null } = { outcome: null };
    async function run(): Promise<void> {
      try {
        made.outcome = await share("key", () => answer(++asked));
      } catch (error) {
        made.outcome = error as Error;
      }
    }
    void run();
    return made;
  }

  return { time, request, asked: () => asked };
}

async function never(): Promise<string> {
  return new Promise(() => {});
}

describe("concurrent requests for the same key", () => {
  test("share one question", async () => {
    const { time, request, asked } = setUp();
    async function answer(): Promise<string> {
      await time.sleep(100);
      return "answer";
    }
    const requests = Array.from({ length: 20 }, () => request(answer));
    await time.pass(100);
    expect(asked()).toBe(1);
    expect(requests.map(({ outcome }) => outcome)).toStrictEqual(
      requests.map((_, index) => ({ value: "answer", asked: index === 0 })),
    );
    request(answer);
    expect(asked()).toBe(2);
  });

  test("share its failure", async () => {
    const { time, request, asked } = setUp();
    async function fail(): Promise<string> {
      await time.sleep(100);
      throw new Error("overloaded");
    }
    const requests = [request(fail), request(fail)];
    await time.pass(100);
    expect(requests.map(({ outcome }) => (outcome as Error).message)).toStrictEqual(["overloaded", "overloaded"]);
    expect(asked()).toBe(1);
  });

  test("share its timeout", async () => {
    const { time, request, asked } = setUp();
    const requests = [request(never), request(never)];
    await time.pass(499);
    expect(requests[1]!.outcome).toBeNull();
    await time.pass(1);
    expect(requests.map(({ outcome }) => (outcome as Error).name)).toStrictEqual(["TimeLimitError", "TimeLimitError"]);
    expect(asked()).toBe(1);
  });
});

describe("when the request that asked is killed", () => {
  /** A leader whose promises never settle: neither its question nor its timeout does. */
  function setUpKilled() {
    const time = createVirtualTime();
    let killed = true;
    const share = createSingleFlight<string>({
      timeout: 500,
      now: time.now,
      wait: (ms) => time.sleep(killed ? Infinity : ms),
    });
    void share("key", never);
    killed = false;
    return { time, share };
  }

  test("one of the others takes over, and the rest wait for it", async () => {
    const { time, share } = setUpKilled();
    let asked = 0;
    async function answer(): Promise<string> {
      asked += 1;
      await time.sleep(100);
      return "answer";
    }
    const answers = Promise.all([share("key", answer), share("key", answer), share("key", answer)]);
    await time.pass(550);
    expect(asked).toBe(1);
    await time.pass(100);
    expect((await answers).map((landed) => landed.value)).toStrictEqual(["answer", "answer", "answer"]);
    expect(asked).toBe(1);
  });

  test("one that arrives after its time asks immediately", async () => {
    const { time, share } = setUpKilled();
    await time.pass(551);
    expect(await share("key", async () => "answer")).toStrictEqual({ value: "answer", asked: true });
  });
});
