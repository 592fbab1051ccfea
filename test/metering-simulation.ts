import { vi } from "vitest";
import { createCharger } from "../worker/ledger/charges.ts";
import type { Charge } from "../worker/ledger/charges.ts";
import { consumeUsage } from "../worker/ledger/consumer.ts";
import type { Consuming } from "../worker/ledger/consumer.ts";
import type { LedgerNamespace } from "../worker/ledger/namespace.ts";
import { capMeter, quotaMeter } from "../worker/ledger/part.ts";
import type { Part, UsageMessage } from "../worker/ledger/part.ts";
import { createUsageRecorder } from "../worker/ledger/recorder.ts";
import type { RecordingRequest, Usage, UsageRecorder } from "../worker/ledger/recorder.ts";
import { DAY_MS, utcDay } from "../worker/platform/time.ts";
import { createLedgers, NOON } from "./ledgers.ts";
import { deliver } from "./queue-batch.ts";
import { seededRandom, shuffled } from "./seeded.ts";
import { createVirtualTime } from "./virtual-time.ts";

const HOUR = 3_600_000;
/** When the accounts' subscriptions started. */
const STARTED = NOON - DAY_MS;
/** The capped key's meter. */
const CAP = capMeter("key_2", "2026-01");
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
  readonly recorder: UsageRecorder;
  readonly charge: Charge;
  readonly request: RecordingRequest;
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
  /** The account's quota, or null for a plan without one. */
  readonly quota: number | null;
  /** The monthly cap of one of its two keys; without it, there is only a key without a cap. */
  readonly cap?: number;
  readonly isolates: number;
  readonly calls: number;
  /** The most numbers per call. */
  readonly batch: number;
}

/** Counts of numbers, all of one account. */
export interface ScheduleOutcome {
  /** With a result; each call with an Idempotency-Key counts once. */
  answered: number;
  counted: number;
  /** The same for the capped key. */
  answeredByCapped: number;
  countedByCapped: number;
  /** Of calls that got a 503, or whose isolate was killed: they may or may not be counted. */
  uncertain: number;
  /** Lost according to the log. */
  lost: number;
  rejected: number;
  /** Responses that waited for the ledger, and all responses. */
  waited: number;
  answers: number;
  /** The count after every message ever queued was redelivered 14 days later. */
  countedAgain: number;
}

/**
 * Plays a random schedule of calls, faults, and deliveries on the real recorder, charger, consumer, and ledger, in
 * virtual time.
 */
export async function playSchedule(options: ScheduleOptions): Promise<ScheduleOutcome> {
  const { seed, faults, quota, cap, isolates: isolateCount, calls, batch } = options;
  const random = seededRandom(seed);
  const time = createVirtualTime(NOON);
  const outcome: ScheduleOutcome = {
    answered: 0,
    counted: 0,
    answeredByCapped: 0,
    countedByCapped: 0,
    uncertain: 0,
    lost: 0,
    rejected: 0,
    waited: 0,
    answers: 0,
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

  const ledgers = createLedgers(
    { now: time.now, d1: (query) => suffer("d1", async () => (query.startsWith("SELECT") ? [{ 1: 1 }] : [])) },
    (user, run) =>
      suffer("ledger", () => {
        // An object may be evicted between any two calls.
        if (random() < 0.02) ledgers.of(user).restart();
        return run();
      }),
  );

  /** The queue's messages, and all past ones. */
  let messages: { readonly body: UsageMessage; readonly due: number }[] = [];
  const ever: Part[] = [];

  function queueFor(isolate?: Isolate): RecordingRequest["queue"] {
    return {
      async send(body: UsageMessage, given?: { delaySeconds?: number }) {
        await suffer("queue", async () => {
          const due = time.now() + 1000 * (given?.delaySeconds ?? 0) + upTo(3_000);
          messages.push({ body: structuredClone(body), due });
          if ("parts" in body) ever.push(...structuredClone(body.parts));
          // Delivered at least once.
          if (faults && random() < 0.1) messages.push({ body: structuredClone(body), due: due + upTo(120_000) });
        });
        if (isolate?.alive === false) await new Promise(() => {});
        return undefined as never;
      },
    };
  }

  // Never before and after side by side: the rotation takes a week.
  const secrets = oneOf([
    ["before", "during"],
    ["during", "after"],
  ] as const);

  function openIsolate(): Isolate {
    const work: Promise<unknown>[] = [];
    /** When an isolate is killed, nothing that it awaits ever settles. */
    const whileAlive = async <Value>(promise: Promise<Value>): Promise<Value> => {
      const value = await promise;
      if (!isolate.alive) await new Promise(() => {});
      return value;
    };
    const sleep = (ms: number) => whileAlive(time.sleep(ms));
    const recorder = createUsageRecorder({ sleep, now: time.now });
    const near: LedgerNamespace = {
      getByName: (user) =>
        new Proxy(ledgers.getByName(user), {
          get(target, name) {
            const remote = Reflect.get(target, name) as (...given: unknown[]) => Promise<unknown>;
            return (...given: unknown[]) => whileAlive(remote(...given));
          },
        }),
    };
    const isolate: Isolate = {
      recorder,
      charge: createCharger(recorder, { now: time.now, sleep }),
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
      due.map(({ body }, at) => ({ id: String(at), body })),
    );
    for (const [at, message] of delivery.messages.entries()) {
      message.retry = (given) => {
        messages.push({ body: due[at]!.body, due: time.now() + 1000 * (given?.delaySeconds ?? 10) });
      };
    }
    const consuming = { ledgers, queue: queueFor(), db: {} as Consuming["db"], now: time.now(), maxAge: 13 * DAY_MS };
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

  async function call(): Promise<void> {
    const isolate = oneOf(isolates);
    const repeated = seen.size > 0 && random() < 0.15;
    const name = repeated ? oneOf([...seen.keys()]) : random() < 0.3 ? upTo(1e9).toString(16) : null;
    const numbers = name !== null && seen.has(name) ? seen.get(name)! : random() < 0.5 ? 1 : 1 + upTo(batch);
    // A rejected Idempotency-Key may succeed later: the first response settles it.
    const isCapped = cap !== undefined && (name === null ? random() < 0.5 : name.length % 2 === 0);
    const keyId = isCapped ? "key_2" : "key_1";
    const usage: Usage = {
      user: "usr_1",
      counts: [[STARTED, keyId, "live", utcDay(time.now()), "BR", numbers, 0]],
      call: name === null ? null : idsOf(name, isolate),
    };
    const limits = [
      ...(quota === null ? [] : [{ meter: quotaMeter(STARTED), amount: numbers, most: quota }]),
      ...(isCapped ? [{ meter: CAP, amount: numbers, most: cap }] : []),
    ];
    if (limits.length === 0) isolate.recorder.record(isolate.request, usage);
    else {
      // If an isolate is killed in the meantime, it is unknown whether it was charged.
      outcome.uncertain += numbers;
      const admission = await isolate.charge(isolate.request, { usage, limits, numbers });
      outcome.uncertain -= numbers;
      if (admission.outcome === "rejected") return void (outcome.rejected += numbers);
      if (admission.outcome === "unavailable") return void (outcome.uncertain += numbers);
      if (admission.waitedMs !== null) outcome.waited += 1;
    }
    outcome.answers += 1;
    isolate.recent.push({ at: time.now(), numbers, call: name });
    if (name !== null && seen.has(name)) return;
    if (name !== null) seen.set(name, numbers);
    outcome.answered += numbers;
    if (isCapped) outcome.answeredByCapped += numbers;
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
    for (let made = 0; made < calls; made++) {
      const burst = random() < 0.2 ? 1 + upTo(10) : 1;
      for (let each = 0; each < burst; each++) running.push(call());
      if (faults && random() < 0.01) kill();
      await time.pass(random() < 0.3 ? upTo(2_000) : upTo(60));
      if (random() < 0.3) void consume();
    }
    await time.pass(45_000);
    outages.length = 0;
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
    outcome.countedByCapped = ledgers.of("usr_1").ledger.keys("2026-01", [["key_2", "key_2"]]).used[0]!;
    // The last day's parts are redelivered until the end of the queue's retention, in other groups.
    await time.pass(13 * DAY_MS + 20 * HOUR);
    for (const part of shuffled(ever, random)) await ledgers.of("usr_1").ledger.record([part]);
    outcome.countedAgain = count();
    return outcome;
  } finally {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  }
}
