import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { seededRandom } from "../../test/seeded.ts";
import { numbersIn } from "./part.ts";
import { simulateIsolate } from "../../test/isolate-simulation.ts";

let lines: { event: string; count: number }[];

beforeEach(() => {
  lines = [];
  for (const method of ["warn", "error"] as const) {
    vi.spyOn(console, method).mockImplementation((line: string) => {
      lines.push(JSON.parse(line));
    });
  }
});

afterEach(() => {
  vi.restoreAllMocks();
});

function lostCounts(): number {
  return lines.filter(({ event }) => event === "usage_lost").reduce((sum, { count }) => sum + count, 0);
}

/** `e0`, `e1`, … in sorted order. */
function ids(count: number, prefix = "e"): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index}`).toSorted();
}

describe("an isolate's counts", () => {
  test("within the window share one message", async () => {
    const isolate = simulateIsolate({ queue: () => 20 });
    const requests = ids(50).map((id) => isolate.request([id]));
    await isolate.pass(1_999);
    expect(isolate.sent).toHaveLength(0);
    await isolate.pass(25);
    expect(isolate.sent).toHaveLength(1);
    expect(isolate.arrived()).toStrictEqual(ids(50));
    await isolate.pass(1);
    expect(requests.every(({ finished }) => finished)).toBe(true);
  });

  test("after the window open the next one", async () => {
    const isolate = simulateIsolate({ queue: () => 20 });
    isolate.request(["e0"]);
    await isolate.pass(2_001);
    isolate.request(["e1"]);
    await isolate.pass(2_400);
    expect(isolate.sent.map(([part]) => part!.calls.length)).toStrictEqual([1, 1]);
  });

  test("are sent immediately when there are a hundred", async () => {
    const isolate = simulateIsolate({ queue: () => 20 });
    const requests = ids(100).map((id) => isolate.request([id]));
    await isolate.pass(20);
    expect(isolate.sent.map(([part]) => part!.calls.length)).toStrictEqual([100]);
    await isolate.pass(2_000);
    expect(requests.every(({ finished }) => finished)).toBe(true);
    expect(isolate.sent).toHaveLength(1);
  });

  test("of a batch call fill a message, and the rest open the next", async () => {
    const isolate = simulateIsolate({ queue: () => 20 });
    isolate.request(["first"]);
    const batchCall = isolate.request(ids(100));
    await isolate.pass(20);
    expect(isolate.sent.map(([part]) => part!.calls.length)).toStrictEqual([100]);
    expect(batchCall.finished).toBe(false);
    await isolate.pass(2_030);
    expect(isolate.sent.map(([part]) => part!.calls.length)).toStrictEqual([100, 1]);
    expect(batchCall.finished).toBe(true);
  });

  test("are added up: the same account, key, day, and country is one entry, however many there are", async () => {
    const isolate = simulateIsolate({ queue: () => 20 });
    for (let made = 0; made < 1_000; made++) isolate.request([""]);
    isolate.request(["", "keyed"], "usr_2");
    await isolate.pass(2_020);
    expect(isolate.sent).toHaveLength(1);
    const [first, second] = isolate.sent[0]!;
    expect(first).toMatchObject({ user: "usr_1", seq: 1, calls: [] });
    expect(first!.counts).toStrictEqual([[1, "key_1", "live", "1970-01-01", "BR", 1_000, 0]]);
    expect(second).toMatchObject({ user: "usr_2", seq: 1, calls: [{ id: "keyed" }] });
    expect([first!, second!].map(numbersIn)).toStrictEqual([1_000, 2]);
  });

  test("are numbered per account without gaps", async () => {
    const isolate = simulateIsolate({ queue: () => 20 });
    for (const user of ["usr_1", "usr_2", "usr_1", "usr_1"]) {
      isolate.request([""], user);
      await isolate.pass(2_100);
    }
    expect(isolate.sent.flat().map(({ user, seq }) => `${user} ${seq}`)).toStrictEqual([
      "usr_1 1",
      "usr_2 1",
      "usr_1 2",
      "usr_1 3",
    ]);
  });

  test("never reuse a number, even with more accounts than are remembered", async () => {
    const isolate = simulateIsolate({ queue: () => 1 });
    for (let round = 0; round < 2; round++) {
      for (let user = 0; user < 10_050; user++) isolate.request([""], `usr_${user}`);
      await isolate.pass(2_100);
    }
    const parts = isolate.sent.flat();
    expect(parts).toHaveLength(20_100);
    expect(isolate.parts()).toHaveLength(20_100);
    expect(JSON.stringify({ parts: isolate.sent[0] }).length).toBeLessThan(64_000);
  });

  test("keep alive three requests and the one that fills the message", async () => {
    const isolate = simulateIsolate({ queue: () => 20 });
    const requests = ids(100).map((id) => isolate.request([id]));
    await isolate.pass(0);
    const waiting = requests.flatMap(({ finished }, index) => (finished ? [] : [index]));
    expect(waiting).toStrictEqual([0, 1, 2, 99]);
  });

  test("of a request that counts nothing make no message", async () => {
    const isolate = simulateIsolate({ queue: () => 20 });
    isolate.request([]);
    await isolate.pass(1_000);
    expect(isolate.sent).toHaveLength(0);
  });
});

describe("when the queue", () => {
  test("rejects, counts go straight to the ledger", async () => {
    const isolate = simulateIsolate({ queue: () => "reject" });
    const requests = ids(10).map((id) => isolate.request([id]));
    await isolate.pass(2_400);
    expect(isolate.recorded).toHaveLength(1);
    expect(isolate.arrived()).toStrictEqual(ids(10));
    expect(requests.every(({ finished }) => finished)).toBe(true);
    expect(lines).toMatchObject([{ level: "warn", event: "usage_send_failed", count: 1 }]);
  });

  test("and the ledger fail for a while, counts arrive later", async () => {
    let calls = 0;
    const isolate = simulateIsolate({ queue: () => (++calls < 4 ? "reject" : 20), ledgerFails: () => calls < 4 });
    isolate.request(["e0"]);
    await isolate.pass(30_000);
    expect(isolate.arrived()).toStrictEqual(["e0"]);
    expect(lostCounts()).toBe(0);
  });

  test("and the ledger fail permanently, the loss is logged once with its count after five tries", async () => {
    let stores = 0;
    const isolate = simulateIsolate({ queue: () => "reject", ledgerFails: () => ++stores > 0 });
    const requests = ids(7).map((id) => isolate.request([id]));
    await isolate.pass(30_000);
    expect(stores).toBe(5);
    expect(lines.filter(({ event }) => event === "usage_lost")).toStrictEqual([
      { level: "error", event: "usage_lost", count: 7, message: "Queue send failed: Too Many Requests" },
    ]);
    expect(requests.every(({ finished }) => finished)).toBe(true);
  });

  test("hangs, the next try reaches it", async () => {
    let calls = 0;
    const isolate = simulateIsolate({ queue: () => (++calls === 1 ? "hang" : 20) });
    const requests = ids(3).map((id) => isolate.request([id]));
    await isolate.pass(5_900);
    expect(isolate.sent).toHaveLength(0);
    await isolate.pass(800);
    expect(isolate.arrived()).toStrictEqual(ids(3));
    expect(calls).toBe(2);
    expect(requests.every(({ finished }) => finished)).toBe(true);
  });

  test("hangs forever, counts go straight to the ledger, within the platform's 30 seconds", async () => {
    const isolate = simulateIsolate({ queue: () => "hang" });
    isolate.request(["e0"]);
    await isolate.pass(20_000);
    expect(isolate.recorded).toHaveLength(1);
    expect(lostCounts()).toBe(0);
  });

  test("and the ledger hang forever, requests end within the platform's 30 seconds", async () => {
    const isolate = simulateIsolate({ queue: () => "hang", ledgerFails: () => true });
    const request = isolate.request(["e0"]);
    await isolate.pass(29_000);
    expect(request.finished).toBe(true);
    expect(lostCounts()).toBe(1);
  });
});

describe("a killed request", () => {
  test("leaves its counts to the others before the window ends", async () => {
    const isolate = simulateIsolate({ queue: () => 20 });
    const [first] = ids(5).map((id) => isolate.request([id]));
    await isolate.pass(100);
    first!.killed = true;
    await isolate.pass(2_300);
    expect(isolate.arrived()).toStrictEqual(ids(5));
  });

  test("along with all others of its window leaves them to the isolate's next request", async () => {
    const isolate = simulateIsolate({ queue: () => 20 });
    const requests = ids(5).map((id) => isolate.request([id]));
    for (const request of requests) request.killed = true;
    await isolate.pass(2_400);
    expect(isolate.arrived()).toStrictEqual([]);
    isolate.request(["next"]);
    await isolate.pass(2_400);
    expect(isolate.arrived()).toStrictEqual([...ids(5), "next"]);
  });

  test("is replaced if it was sending", async () => {
    const isolate = simulateIsolate({ queue: () => 200 });
    const requests = ids(5).map((id) => isolate.request([id]));
    await isolate.pass(2_050);
    requests[0]!.killed = true;
    await isolate.pass(4_000);
    expect(isolate.sent).toHaveLength(0);
    await isolate.pass(1_000);
    expect(isolate.arrived()).toStrictEqual(ids(5));
    expect(requests.slice(1).every(({ finished }) => finished)).toBe(true);
  });

  test("that was alone in its batch leaves its count to the isolate's next request", async () => {
    const isolate = simulateIsolate({ queue: () => 20 });
    isolate.request(["alone"]).killed = true;
    await isolate.pass(60_000);
    expect(isolate.arrived()).toStrictEqual([]);
    isolate.request(["next"]);
    await isolate.pass(2_400);
    expect(isolate.arrived()).toStrictEqual(["alone", "next"]);
  });

  test("that was alone while sending does too", async () => {
    const isolate = simulateIsolate({ queue: () => 200 });
    const full = isolate.request(ids(100));
    await isolate.pass(50);
    full.killed = true;
    await isolate.pass(60_000);
    isolate.request(["next"]);
    await isolate.pass(2_500);
    expect(isolate.arrived()).toStrictEqual([...ids(100), "next"]);
  });
});

describe("a thousand requests, every tenth killed, with a queue and a ledger that fail often", () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])("lose nothing (seed %i)", async (seed) => {
    const random = seededRandom(seed);
    const isolate = simulateIsolate({
      queue() {
        const dice = random();
        if (dice < 0.1) return "reject";
        return dice < 0.13 ? "hang" : 5 + random() * 200;
      },
      ledgerFails: () => random() < 0.2,
    });
    const requests = [];
    for (let index = 0; index < 1_000; index++) {
      const request = isolate.request([`e${index}`]);
      requests.push(request);
      if (random() < 0.1) {
        isolate.killAfter(request, random() * 600);
      }
      await isolate.pass(random() * 6);
    }
    await isolate.pass(30_000);
    isolate.request(["last"]);
    await isolate.pass(30_000);
    expect(isolate.arrived()).toStrictEqual([...ids(1_000), "last"]);
    expect(lostCounts()).toBe(0);
    expect(requests.every(({ finished, killed }) => finished || killed)).toBe(true);
    expect(isolate.sent.length).toBeLessThan(60);
  });
});
