import type { Queue } from "@cloudflare/workers-types";
import type { Database } from "../platform/db.ts";
import type { UsageEvent, UsageMessage } from "./event.ts";
import { failureText, logLine } from "../platform/log.ts";

/** How long events wait for company, in milliseconds. */
const WINDOW_MS = 300;
/** At the 360 bytes that an event has at most, 36 of the 128 KB that a queue takes as a message. */
const MAX_EVENTS = 100;
/** Five tries of 4 s and the pauses between them end within the 30 s that the platform grants `waitUntil`. */
const MAX_TRIES = 5;
const TRY_TIMEOUT_MS = 4_000;
const PAUSE_MS = 500;
/** From this try on the database comes first: the queue may be one that neither takes nor refuses. */
const FIRST_DIRECT_TRY = 4;
/** Requests that wait for a batch which is still open. One would do, were it never killed. */
const WAITERS = 3;
/** A batch so long overdue has lost every request that waited for it. */
const ORPHAN_MS = 2_000;

/** What a request lends the recorder. Nothing of it is used on behalf of another request. */
export interface RecordingRequest {
  readonly queue: Pick<Queue<UsageMessage>, "send">;
  readonly db: Database;
  waitUntil(work: Promise<unknown>): void;
}

/**
 * Records the events of a request for counting and returns at once: what fails later fails no response. Event ids are ours, of at
 * most 100 letters, digits and `_.:+/=-`; the same id twice counts once.
 */
export type RecordUsage = (request: RecordingRequest, events: readonly UsageEvent[]) => void;

/** What the recorder takes from outside. Times are in milliseconds. */
export interface RecorderDependencies {
  sleep(ms: number): Promise<void>;
  now(): number;
  /** Counts events without the queue, each id once. */
  store(db: Database, events: readonly UsageEvent[]): Promise<void>;
}

/** Events that go to the queue as one message, on behalf of all requests that added to it. */
interface Batch {
  readonly events: UsageEvent[];
  /** Requests that wait for it. */
  waiters: number;
  tries: number;
  /** The try under way. It belongs to one request and never settles if that one is killed. */
  attempt: Promise<void> | null;
  /** When whatever the batch waits for is overdue. */
  deadline: number;
  settled: boolean;
  failure: string;
}

/**
 * Group commit across the requests of an isolate: their events share a message, which divides cost and load. No request owns the
 * batch. The first three, and the one that fills it, keep themselves alive, sleep out the window, send if nobody has, and take over
 * from a request that was killed while sending. That may send twice, which event ids make harmless. The others end with their answer:
 * keeping a thousand requests alive is work for the garbage collector and nobody else. Events are lost, and `usage_lost` logged with their
 * number, after five tries; or silently, when all requests that wait for a batch are killed and no other takes it over. That takes a
 * verify or batch call that this isolate answers (refusals are not recorded): with the batch still open, any after its window; once it
 * is closed, any from `ORPHAN_MS` after its deadline on.
 */
export function createUsageRecorder({ sleep, now, store }: RecorderDependencies): RecordUsage {
  let open: Batch | null = null;
  const unsettled = new Set<Batch>();

  function add(event: UsageEvent): Batch {
    if (open === null) {
      open = {
        events: [],
        waiters: 0,
        tries: 0,
        attempt: null,
        deadline: now() + WINDOW_MS,
        settled: false,
        failure: "no answer",
      };
      unsettled.add(open);
    }
    const batch = open;
    batch.events.push(event);
    if (batch.events.length === MAX_EVENTS) open = null;
    return batch;
  }

  function settle(batch: Batch): void {
    batch.settled = true;
    unsettled.delete(batch);
  }

  async function deliver({ events, tries }: Batch, { queue, db }: RecordingRequest): Promise<void> {
    const ways = [() => queue.send({ events }, { contentType: "json" }), () => store(db, events)] as const;
    const [first, second] = tries < FIRST_DIRECT_TRY ? ways : ways.toReversed();
    try {
      await first!();
    } catch (error) {
      logLine("warn", "usage_send_failed", { count: events.length, message: failureText(error) });
      await second!();
    }
  }

  /** Never rejects: a failure is every waiter's business, and the batch tells them. */
  async function attempt(batch: Batch, request: RecordingRequest): Promise<void> {
    try {
      await deliver(batch, request);
      settle(batch);
    } catch (error) {
      batch.failure = failureText(error);
    }
  }

  function begin(batch: Batch, request: RecordingRequest): Promise<void> {
    batch.tries += 1;
    batch.deadline = now() + TRY_TIMEOUT_MS;
    return attempt(batch, request);
  }

  function giveUp(batch: Batch): void {
    settle(batch);
    logLine("error", "usage_lost", { count: batch.events.length, message: batch.failure });
  }

  /** One request's share of a batch: waits until somebody has delivered it, and delivers it when nobody else does. */
  async function seeThrough(batch: Batch, request: RecordingRequest): Promise<void> {
    if (batch === open) await sleep(WINDOW_MS);
    if (batch === open) open = null;
    while (!batch.settled) {
      if (batch.attempt === null && batch.tries === MAX_TRIES) return giveUp(batch);
      batch.attempt ??= begin(batch, request);
      const awaited = batch.attempt;
      await Promise.race([awaited, sleep(Math.max(0, batch.deadline - now()))]);
      if (batch.settled) return;
      // It failed or hangs. The first to see that makes room for the next try; the others find it gone.
      if (batch.attempt === awaited) batch.attempt = null;
      await sleep(PAUSE_MS);
    }
  }

  return function recordUsage(request, events) {
    // Before any await: a request may be killed at every one.
    const batches = new Set(events.map(add));
    for (const batch of unsettled) {
      if (now() > batch.deadline + ORPHAN_MS) batches.add(batch);
    }
    for (const batch of batches) {
      // One that is open for too long has lost its waiters.
      if (batch === open && batch.waiters >= WAITERS && now() <= batch.deadline) continue;
      batch.waiters += 1;
      request.waitUntil(seeThrough(batch, request));
    }
  };
}
