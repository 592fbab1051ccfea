import { AsyncLocalStorage } from "node:async_hooks";
import { vi } from "vitest";
import { consumeUsage } from "../worker/ledger/consumer.ts";
import type { Consuming } from "../worker/ledger/consumer.ts";
import type { Recorded } from "../worker/ledger/ledger.ts";
import { createMeter } from "../worker/ledger/meter.ts";
import type { Meter, MeterRequest } from "../worker/ledger/meter.ts";
import type { LedgerNamespace } from "../worker/ledger/namespace.ts";
import { capUse, quotaUse } from "../worker/ledger/part.ts";
import type { Entry, Part, UsageMessage } from "../worker/ledger/part.ts";
import { DAY_MS, utcDay } from "../worker/platform/time.ts";
import { createLedgers, fakeD1 } from "./ledgers.ts";
import { countOf, NOON } from "./usage.ts";
import { deliver } from "./queue-batch.ts";
import { seededRandom, shuffled } from "./seeded.ts";
import { createVirtualTime } from "./virtual-time.ts";

const HOUR = 3_600_000;
/** When the accounts' subscriptions started. */
const STARTED = NOON - DAY_MS;
/** A key that is rolled twice, with one cap for all three. */
const CHAIN = ["key_2", "key_3", "key_4"] as const;
/** How long a killed isolate's counts may have been in flight. */
const ON_THEIR_WAY_MS = 30_000;

type Fate = "none" | "before" | "after" | "hang" | "silent" | "slow";
const FATES = ["before", "after", "hang", "silent", "slow"] as const;

/** A temporary fault of a part of the platform, in milliseconds since the Unix epoch. */
interface Outage {
  readonly part: "queue" | "ledger" | "d1";
  readonly fate: Fate;
  readonly from: number;
  readonly to: number;
}

interface Isolate {
  readonly meter: Meter;
  readonly request: MeterRequest;
  /** Which secrets it has: two during a rotation. */
  readonly secrets: "before" | "during" | "after";
  alive: boolean;
  /** Recent results, which are lost if it is killed. */
  readonly recent: { readonly at: number; readonly numbers: number; readonly call: string | null }[];
}

export interface ScheduleOptions {
  readonly seed: number;
  /** Whether anything fails. */
  readonly faults: boolean;
  /** Whether releases reset the ledger: then the calls in flight fail, done or not. */
  readonly resets?: boolean;
  /** The account's quota, or null for a plan without one. */
  readonly quota: number | null;
  /** The monthly cap of one of its two keys; without it, there is only a key without a cap. */
  readonly cap?: number;
  /** Whether the capped key was rolled twice, each after a third of the calls, and has its cap only since then. */
  readonly rolled?: boolean;
  readonly isolates: number;
  readonly calls: number;
  /** The most numbers per call. */
  readonly batch: number;
  /** The share of single numbers: half by default. */
  readonly singles?: number;
}

/** Counts of numbers, all of one account. */
export interface ScheduleOutcome {
  /** With a result; each call with an Idempotency-Key counts once. */
  answered: number;
  counted: number;
  /** The same for the capped key and those it was rolled from. */
  answeredByCapped: number;
  answeredBeforeCap: number;
  countedByCapped: number;
  /** Of calls that got a 503, or whose isolate was killed: they may or may not be counted. */
  uncertain: number;
  /** Lost according to the log. */
  lost: number;
  rejected: number;
  /** Responses that waited for the ledger, and all responses. */
  waited: number;
  answers: number;
  /** Numbers with a limit whose response did not wait. */
  behind: number;
  /** Calls of the ledger that failed because it was reset. */
  reset: number;
  /** The count after every message ever queued was redelivered 14 days later. */
  countedAgain: number;
}

/** Plays a random schedule of calls, faults, and deliveries on the real meter, consumer, and ledger, in virtual time. */
export async function playSchedule(options: ScheduleOptions): Promise<ScheduleOutcome> {
  const { seed, faults, resets = false, quota, cap, rolled = false } = options;
  const { isolates: isolateCount, calls, batch, singles = 0.5 } = options;
  const random = seededRandom(seed);
  const time = createVirtualTime(NOON);
  const outcome: ScheduleOutcome = {
    answered: 0,
    counted: 0,
    answeredByCapped: 0,
    answeredBeforeCap: 0,
    countedByCapped: 0,
    uncertain: 0,
    lost: 0,
    rejected: 0,
    waited: 0,
    answers: 0,
    behind: 0,
    reset: 0,
    countedAgain: 0,
  };
  const upTo = (most: number) => Math.floor(random() * most);
  const oneOf = <Item>(items: readonly Item[]): Item => items[upTo(items.length)]!;

  vi.stubGlobal("setTimeout", (run: () => void, ms: number) => void time.sleep(ms).then(run));
  for (const level of ["log", "warn", "error"] as const) {
    vi.spyOn(console, level).mockImplementation((line: string) => {
      const { event, count } = JSON.parse(line) as { event: string; count?: number };
      if (event === "usage_lost") outcome.lost += count!;
    });
  }

  const outages: Outage[] = [];
  for (let left = faults ? upTo(4) : 0; left > 0; left--) {
    const from = NOON + upTo(60_000);
    const ms = oneOf([1_000, 5_000, 20_000, 60_000, 6 * HOUR]);
    outages.push({ part: oneOf(["queue", "ledger", "ledger", "d1"]), fate: oneOf(FATES), from, to: from + ms });
  }

  /** The current call's fate. */
  function fateOf(part: Outage["part"]): Fate {
    const outage = outages.find((each) => each.part === part && each.from <= time.now() && time.now() < each.to);
    if (outage !== undefined) return outage.fate;
    return faults && random() < 0.03 ? oneOf(FATES) : "none";
  }

  async function suffer<Value>(part: Outage["part"], run: () => Promise<Value>): Promise<Value> {
    const fate = fateOf(part);
    if (fate === "before") throw new Error(`The ${part} is away`);
    if (fate === "hang") await new Promise(() => {});
    await time.sleep(fate === "slow" ? upTo(15_000) : 1 + upTo(30));
    const value = await run();
    if (fate === "after") throw new Error(`The connection to the ${part} was lost`);
    if (fate === "silent") await new Promise(() => {});
    await time.sleep(1 + upTo(30));
    return value;
  }

  let release = 1;
  function reset(user: string): void {
    release += 1;
    ledgers.of(user).reset();
  }

  const ledgers = createLedgers(
    { now: time.now, db: fakeD1(() => suffer("d1", async () => [{ 1: 1 }])) },
    async (user, run) => {
      const began = release;
      function failIfReset(): void {
        if (release === began) return;
        outcome.reset += 1;
        throw new Error("Durable Object reset because its code was updated.");
      }
      if (resets && random() < 0.1) void time.sleep(upTo(60)).then(() => reset(user));
      const reply = await suffer("ledger", () => {
        failIfReset();
        // An object may be evicted between any two calls.
        if (random() < 0.02) ledgers.of(user).restart();
        return run();
      });
      failIfReset();
      return reply;
    },
  );

  /** The queue's messages, and all past ones. */
  let messages: { readonly body: UsageMessage; readonly due: number; readonly attempts: number }[] = [];
  /** Every part that a ledger or the queue was ever sent, except those the ledger refused. */
  const ever: Part[] = [];

  function queueFor(isolate: { readonly alive: boolean }): MeterRequest["queue"] {
    return {
      async send(body: UsageMessage) {
        const sent = suffer("queue", async () => {
          const due = time.now() + upTo(3_000);
          messages.push({ body: structuredClone(body), due, attempts: 1 });
          if ("part" in body) ever.push(structuredClone(body.part));
          // Delivered at least once.
          if (faults && random() < 0.1) {
            messages.push({ body: structuredClone(body), due: due + upTo(120_000), attempts: 1 });
          }
        });
        return whileAlive(isolate, sent) as Promise<never>;
      },
    };
  }

  /** The request that runs. When it is killed, nothing that it awaits ever settles. */
  const context = new AsyncLocalStorage<{ killed: boolean }>();

  async function whileAlive<Value>(isolate: { readonly alive: boolean }, promise: Promise<Value>): Promise<Value> {
    const request = context.getStore();
    const value = await promise;
    if (!isolate.alive || request?.killed === true) await new Promise(() => {});
    return value;
  }

  // Never before and after side by side: the rotation takes a week.
  const secrets = oneOf([
    ["before", "during"],
    ["during", "after"],
  ] as const);

  function openIsolate(): Isolate {
    const work: Promise<unknown>[] = [];
    const sleep = (ms: number) => whileAlive(isolate, time.sleep(ms));
    const near: LedgerNamespace = {
      getByName: (user) =>
        new Proxy(ledgers.getByName(user), {
          get(target, name) {
            const remote = Reflect.get(target, name) as (...given: unknown[]) => Promise<unknown>;
            return async (...given: unknown[]) => {
              const reply = await whileAlive(isolate, remote(...given));
              if ((reply as Recorded).refusedBy === null) ever.push(structuredClone(given[0] as Part));
              return reply;
            };
          },
        }),
    };
    const isolate: Isolate = {
      meter: createMeter({ now: time.now, sleep }),
      request: { queue: null as never, ledgers: near, waitUntil: (promise) => void work.push(promise.catch(() => {})) },
      secrets: oneOf(secrets),
      alive: true,
      recent: [],
    };
    return Object.assign(isolate, { request: { ...isolate.request, queue: queueFor(isolate) } });
  }

  /** Delivers due messages in random order and groups. */
  async function consume(): Promise<void> {
    const due = shuffled(
      messages.filter((message) => message.due <= time.now()),
      random,
    ).slice(0, 1 + upTo(100));
    if (due.length === 0) return;
    messages = messages.filter((message) => !due.includes(message));
    const { batch: delivery } = deliver(
      "checkline-usage",
      due.map(({ body, attempts }, at) => ({ id: String(at), body, attempts })),
    );
    for (const [at, message] of delivery.messages.entries()) {
      message.retry = (given) => {
        const { body, attempts } = due[at]!;
        messages.push({ body, due: time.now() + 1000 * given!.delaySeconds!, attempts: attempts + 1 });
      };
    }
    const consuming = { ledgers, db: {} as Consuming["db"], now: time.now(), maxAge: 13 * DAY_MS };
    await consumeUsage(delivery, consuming);
  }

  const isolates = Array.from({ length: isolateCount }, openIsolate);
  const seen = new Map<string, number>();
  const killed = new Set<string>();
  const running: Promise<void>[] = [];

  /** A call has one of two ids, or both, depending on its isolate's secrets. */
  function idsOf(name: string, { secrets: known }: Isolate) {
    const [old, next] = ["a", "b"].map((prefix) => prefix + name.padStart(23, "0")) as [string, string];
    if (known === "during") return { id: old, alias: next, hours: 48 };
    return { id: known === "before" ? old : next, hours: 48 };
  }

  /** Makes a call. Some requests are killed after their response, with all their background work. */
  async function call(): Promise<void> {
    const request = { killed: false };
    await context.run(request, answer);
    if (faults && random() < 0.1) void time.sleep(upTo(4_000)).then(() => (request.killed = true));
  }

  /** How many calls were made. */
  let made = 0;

  async function answer(): Promise<void> {
    const isolate = oneOf(isolates);
    const repeated = seen.size > 0 && random() < 0.15;
    const name = repeated ? oneOf([...seen.keys()]) : random() < 0.3 ? upTo(1e9).toString(16) : null;
    const numbers = name !== null && seen.has(name) ? seen.get(name)! : random() < singles ? 1 : 2 + upTo(batch - 1);
    // A refused Idempotency-Key may succeed later: the first response settles it.
    const isCapped = cap !== undefined && (name === null ? random() < 0.5 : name.length % 2 === 0);
    const place = rolled ? Math.floor((made / calls) * CHAIN.length) : 0;
    const key = isCapped ? { key: CHAIN[place]!, root: CHAIN[0] } : { key: "key_1" };
    const hasCap = isCapped && (!rolled || place === 2);
    const entry: Entry = {
      counts: [countOf(numbers, 0, { startedAt: STARTED, day: utcDay(time.now()), ...key })],
      uses: [
        ...(quota === null ? [] : [quotaUse(STARTED, numbers, quota)]),
        ...(hasCap ? [capUse(CHAIN[0], "2026-01", numbers, cap)] : []),
      ],
      ...(name !== null && { call: idsOf(name, isolate) }),
    };
    const caller = { user: "usr_1" };
    if (entry.uses.length === 0) isolate.meter.add(isolate.request, caller, entry);
    else {
      // If an isolate is killed in the meantime, it is unknown whether it was counted.
      outcome.uncertain += numbers;
      const admission = await isolate.meter.admit(isolate.request, caller, entry);
      outcome.uncertain -= numbers;
      if (admission.outcome === "refused") return void (outcome.rejected += numbers);
      if (admission.outcome === "unavailable") return void (outcome.uncertain += numbers);
      if (admission.waitedMs !== null) outcome.waited += 1;
      else outcome.behind += numbers;
    }
    outcome.answers += 1;
    isolate.recent.push({ at: time.now(), numbers, call: name });
    if (name !== null && seen.has(name)) return;
    if (name !== null) seen.set(name, numbers);
    outcome.answered += numbers;
    if (isCapped) outcome.answeredByCapped += numbers;
    if (isCapped && !hasCap) outcome.answeredBeforeCap += numbers;
  }

  function kill(): void {
    const at = upTo(isolates.length);
    const gone = isolates[at]!;
    gone.alive = false;
    isolates[at] = openIsolate();
    for (const recent of gone.recent) {
      if (recent.at < time.now() - ON_THEIR_WAY_MS) continue;
      if (recent.call !== null && killed.has(recent.call)) continue;
      if (recent.call !== null) killed.add(recent.call);
      outcome.uncertain += recent.numbers;
    }
  }

  try {
    for (; made < calls; made++) {
      // Rolling a key and setting its cap takes longer than the windows before.
      if (rolled && made === Math.ceil((calls * 2) / CHAIN.length)) await time.pass(15_000);
      const burst = random() < 0.2 ? 1 + upTo(10) : 1;
      for (let each = 0; each < burst; each++) running.push(call());
      if (faults && random() < 0.01) kill();
      await time.pass(random() < 0.3 ? upTo(2_000) : upTo(60));
      if (random() < 0.3) void consume();
    }
    await time.pass(45_000);
    outages.length = 0;
    // A later call takes over what killed requests left behind.
    for (const { meter, request } of isolates) meter.add(request, { user: "usr_1" }, { counts: [], uses: [] });
    await time.pass(30_000);
    while (messages.length > 0) {
      const next = Math.min(...messages.map(({ due }) => due));
      await time.pass(Math.max(0, next - time.now()));
      const delivered = consume();
      await time.pass(30_000);
      await delivered;
    }
    await time.pass(60_000);
    const count = () => ledgers.of("usr_1").ledger.quotaUsed(STARTED);
    outcome.counted = count();
    outcome.countedByCapped = ledgers.of("usr_1").ledger.keys("2026-01", [CHAIN[0]]).used[CHAIN[0]]!;
    // The last day's parts are redelivered until the end of the queue's retention, in other groups.
    await time.pass(13 * DAY_MS + 20 * HOUR);
    for (const part of shuffled(ever, random)) ledgers.of("usr_1").ledger.record(part);
    outcome.countedAgain = count();
    return outcome;
  } finally {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  }
}
