import { describe, expect, test } from "vitest";
import { generateKey } from "../../worker/keys/key-format.ts";
import type { Faults } from "./bindings.ts";
import { verify } from "./calls.ts";
import type { Seen } from "./calls.ts";
import { pass, skip } from "./clock.ts";
import { edgeAt, startNetwork } from "./network.ts";
import { createStaleKv } from "./stale-kv.ts";

const network = startNetwork();
const MINUTE = 60_000;

/** A response in words: its status, its source or code, when to retry, and how long it took. */
function words({ status, source, code, retryAfter, waited }: Seen): string {
  return [
    `${status} ${code ?? source}`,
    ...(retryAfter === null ? [] : [`again in ${retryAfter} s`]),
    ...(waited === 0 ? [] : [`after ${waited} ms`]),
  ].join(", ");
}

const UNAVAILABLE = "503 TEMPORARILY_UNAVAILABLE, again in 5 s";
const UNKNOWN = "401 INVALID_API_KEY";

/** What callers see of a key. */
interface Sights {
  /** A key the isolate has just used, and the same a minute later. */
  readonly warm: string;
  readonly minuteLater: string;
  /** The same key in a fresh isolate, a key that KV doesn't have yet, and a nonexistent one. */
  readonly newIsolate: string;
  readonly newKey: string;
  readonly unknown: string;
}

interface Row {
  readonly fault: string;
  readonly faults: Partial<Faults>;
  /** KV does not show another location's writes yet. */
  readonly stale?: true;
  readonly seen: Sights;
}

const UNHARMED: Sights = {
  warm: "200 memory",
  minuteLater: "200 kv",
  newIsolate: "200 kv",
  newKey: "200 d1",
  unknown: UNKNOWN,
};
const WITHOUT_KV: Sights = { ...UNHARMED, minuteLater: "200 d1", newIsolate: "200 d1" };
const WITHOUT_D1: Sights = { ...UNHARMED, newKey: UNAVAILABLE, unknown: UNAVAILABLE };
const WITH_SLOW_D1: Sights = { ...UNHARMED, newKey: "200 d1, after 2000 ms", unknown: `${UNKNOWN}, after 2000 ms` };
const LATE = `${UNAVAILABLE}, after 3000 ms`;

const ROWS: readonly Row[] = [
  { fault: "none", faults: {}, seen: UNHARMED },
  { fault: "D1 down", faults: { d1: "down" }, seen: WITHOUT_D1 },
  { fault: "D1 overloaded", faults: { d1: "overloaded" }, seen: WITHOUT_D1 },
  { fault: "D1 slow, 2 s", faults: { d1: "slow" }, seen: WITH_SLOW_D1 },
  { fault: "D1 hangs", faults: { d1: "hangs" }, seen: { ...UNHARMED, newKey: LATE, unknown: LATE } },
  { fault: "D1 takes no writes", faults: { d1: "takes no writes" }, seen: UNHARMED },
  { fault: "KV down", faults: { kv: "down" }, seen: WITHOUT_KV },
  { fault: "KV answers 429", faults: { kv: "429" }, seen: WITHOUT_KV },
  {
    fault: "KV hangs",
    faults: { kv: "hangs" },
    seen: {
      warm: "200 memory",
      minuteLater: "200 d1, after 500 ms",
      newIsolate: "200 d1, after 500 ms",
      newKey: "200 d1, after 500 ms",
      unknown: `${UNKNOWN}, after 500 ms`,
    },
  },
  { fault: "KV stale", faults: {}, stale: true, seen: { ...UNHARMED, newIsolate: "200 d1" } },
  { fault: "queue rejects", faults: { queue: "rejects" }, seen: UNHARMED },
  { fault: "queue hangs", faults: { queue: "hangs" }, seen: UNHARMED },
  { fault: "queue takes and never answers", faults: { queue: "silent" }, seen: UNHARMED },
  { fault: "ledger down", faults: { ledger: "down" }, seen: UNHARMED },
  { fault: "ledger hangs", faults: { ledger: "hangs" }, seen: UNHARMED },
  { fault: "ledger does what it is asked and never says so", faults: { ledger: "silent" }, seen: UNHARMED },
  {
    fault: "D1 and KV down",
    faults: { d1: "down", kv: "down" },
    seen: { ...WITHOUT_D1, minuteLater: "200 stale", newIsolate: UNAVAILABLE },
  },
  {
    fault: "D1 and KV hang",
    faults: { d1: "hangs", kv: "hangs" },
    seen: {
      warm: "200 memory",
      minuteLater: "200 stale, after 1000 ms",
      newIsolate: `${UNAVAILABLE}, after 3500 ms`,
      newKey: `${UNAVAILABLE}, after 3500 ms`,
      unknown: `${UNAVAILABLE}, after 3500 ms`,
    },
  },
  {
    fault: "D1 slow, 2 s, KV down",
    faults: { d1: "slow", kv: "down" },
    seen: { ...WITH_SLOW_D1, minuteLater: "200 stale, after 500 ms", newIsolate: "200 d1, after 2000 ms" },
  },
  {
    fault: "D1 down, KV stale",
    faults: { d1: "down" },
    stale: true,
    seen: { ...WITHOUT_D1, newIsolate: UNAVAILABLE },
  },
  { fault: "KV down, queue rejects", faults: { kv: "down", queue: "rejects" }, seen: WITHOUT_KV },
  { fault: "D1 slow, queue rejects", faults: { d1: "slow", queue: "rejects" }, seen: WITH_SLOW_D1 },
];

describe("what a caller sees, and that every response is counted once", () => {
  test.each(ROWS)("$fault", async ({ faults, stale, seen }) => {
    const kv = stale && createStaleKv();
    const isolate = await network.isolate({ ...(kv && { kv }), location: "here" });
    const caller = await network.caller("live", { plan: "pro" });
    const { key, userId } = caller;
    await network.publish(caller, kv && edgeAt(kv, "here"));
    const answers = [await verify(isolate, key)];
    await isolate.settled();
    const { apiKey } = await network.anotherKey(userId, "live");

    Object.assign(network.faults, faults);
    const other = await network.isolate({ ...(kv && { kv }), location: "there" });
    const warm = await verify(isolate, key);
    const newIsolate = await verify(other, key);
    const newKey = await verify(isolate, apiKey);
    const unknown = await verify(isolate, generateKey("live"));
    await pass(MINUTE);
    const minuteLater = await verify(isolate, key);
    answers.push(warm, newIsolate, newKey, minuteLater);
    expect({
      warm: words(warm),
      minuteLater: words(minuteLater),
      newIsolate: words(newIsolate),
      newKey: words(newKey),
      unknown: words(unknown),
    }).toStrictEqual(seen);

    await isolate.settled();
    await other.settled();
    network.repair();
    await network.consume();
    expect(await network.counted(userId)).toBe(answers.filter(({ status }) => status === 200).length);
  });
});

describe("a lasting fault", () => {
  test("D1 down for an hour: keys work from KV, in isolates that know them and in new ones", async () => {
    const isolate = await network.isolate();
    const caller = await network.caller("live", { plan: "pro" });
    await network.publish(caller);
    await verify(isolate, caller.key);
    await isolate.settled();
    network.faults.d1 = "down";
    for (let quarter = 0; quarter < 4; quarter++) {
      skip(15 * MINUTE);
      expect(words(await verify(isolate, caller.key))).toBe("200 kv");
      expect(words(await verify(await network.isolate(), caller.key))).toBe("200 kv");
    }
  });

  test("an isolate restarted while D1 is down continues with what KV has", async () => {
    const caller = await network.caller("live", { plan: "pro" });
    const { key, userId } = caller;
    await network.publish(caller);
    const before = await network.isolate();
    await verify(before, key);
    await before.settled();
    network.faults.d1 = "down";
    before.cutOff();
    const after = await network.isolate();
    expect(words(await verify(after, key))).toBe("200 kv");
    expect(words(await verify(after, key))).toBe("200 memory");
    expect(words(await verify(after, generateKey("live")))).toBe(UNAVAILABLE);
    await after.settled();
    network.repair();
    await network.consume();
    expect(await network.counted(userId)).toBe(3);
  });
});
