import type { Queue } from "@cloudflare/workers-types";
import { failureText, logLine } from "../platform/log.ts";
import { randomBase62 } from "../platform/random.ts";
import type { Region } from "../platform/site.ts";
import { callLedger } from "./namespace.ts";
import type { LedgerNamespace } from "./namespace.ts";
import { numbersIn } from "./part.ts";
import type { Count, KeyedCall, LimitedMinute, Part, Sample, UsageMessage } from "./part.ts";

/** How long counts are aggregated before they are sent, in milliseconds. */
const WINDOW_MS = 2_000;
/** A message closes early at this many entries or about this many bytes; a queue accepts 128 KB. */
const MAX_ENTRIES = 100;
const MAX_BYTES = 32 * 1024;
const COUNT_BYTES = 80;
const PART_BYTES = 120;
const SAMPLE_BYTES = 130;
/** Five tries of 4 s, the window, and the pauses fit within the 30 s that the platform grants `waitUntil`. */
const MAX_TRIES = 5;
const TRY_TIMEOUT_MS = 4_000;
const PAUSE_MS = 500;
/** From this try on, ledgers come first: the queue may hang. */
const FIRST_DIRECT_TRY = 4;
/** Requests that wait for an open batch. One would be enough if requests were never killed. */
const WAITERS = 3;
/** A batch overdue for this long has lost every request that waited for it. */
const ORPHAN_MS = 2_000;
/** Accounts whose last sequence number is remembered individually. */
const MAX_ACCOUNTS = 10_000;

/** What the recorder borrows from a request. Never used on behalf of another request. */
export interface RecordingRequest {
  readonly queue: Pick<Queue<UsageMessage>, "send">;
  readonly ledgers: LedgerNamespace;
  waitUntil(work: Promise<unknown>): void;
}

/** The caller of a call. */
export interface RecordedCaller {
  readonly user: string;
  readonly near?: Region | undefined;
}

/** What a call adds to an account's usage. */
export interface Usage extends RecordedCaller {
  readonly counts: readonly Count[];
  /** The idempotent call, if it has an Idempotency-Key. */
  readonly call: Pick<KeyedCall, "id" | "alias" | "hours"> | null;
}

export interface UsageRecorder {
  /** Counts a request's results and returns immediately: later failures don't affect the response. */
  record(request: RecordingRequest, usage: Usage): void;
  /** Sends calls shown in the dashboard along with the counts. */
  note(request: RecordingRequest, caller: RecordedCaller, seen: Required<Pick<Part, "activity" | "limited">>): void;
  /** Sends a finished part from `partOf`. */
  send(request: RecordingRequest, part: Part): void;
  /** Usage as a separate part, with its account's next sequence number. */
  partOf(usage: Usage): Part;
}

/** The recorder's dependencies. Times are in milliseconds. */
export interface RecorderDependencies {
  sleep(ms: number): Promise<void>;
  now(): number;
}

/** An account's share of an open batch. */
interface Account {
  near: Region | undefined;
  readonly counts: { [At in keyof Count]: Count[At] }[];
  readonly calls: KeyedCall[];
  readonly activity: Sample[];
  readonly limited: LimitedMinute[];
}

/** Whether two counts have the same subscription, key, mode, day, and country. */
function isOfSameKind(one: Count, other: Count): boolean {
  for (let at = 0; at < 5; at++) if (one[at] !== other[at]) return false;
  return true;
}

/** Counts that go to the queue as one message, on behalf of every request that added to it. */
interface Batch {
  readonly accounts: Map<string, Account>;
  /** What is left to deliver: built when the batch closes, so every try sends the same. */
  parts: Part[];
  entries: number;
  bytes: number;
  /** Requests waiting for it. */
  waiters: number;
  tries: number;
  /** The current try. It belongs to one request and never settles if that request is killed. */
  attempt: Promise<void> | null;
  /** When the current wait is overdue. */
  deadline: number;
  settled: boolean;
  failure: string;
}

/**
 * Group commit across an isolate's requests: their counts are aggregated into a shared message. No request owns the
 * batch. The first three, and the one that fills it, stay alive, sleep through the window, send if no one has, and take
 * over from a request killed while sending. That may send twice, which sequence numbers make harmless. The others end
 * with their response: keeping a thousand requests alive would only burden the garbage collector. Counts are lost in
 * two cases: after five tries, with the count logged as `usage_lost`; or silently, when all requests that wait for a
 * batch are killed and no other takes it over. Any counted call to this isolate takes over: for an open batch, after
 * its window; for a closed one, from `ORPHAN_MS` after its deadline.
 */
export function createUsageRecorder({ sleep, now }: RecorderDependencies): UsageRecorder {
  let open: Batch | null = null;
  const unsettled = new Set<Batch>();
  let isolate: string | undefined;
  const sequences = new Map<string, number>();
  let highest = 0;
  let floor = 0;

  /** An account's numbers ascend without gaps, unless it was evicted: then they continue above everyone's. */
  function nextOf(user: string): number {
    if (sequences.size >= MAX_ACCOUNTS && !sequences.has(user)) {
      sequences.clear();
      floor = highest;
    }
    const next = (sequences.get(user) ?? floor) + 1;
    sequences.set(user, next);
    highest = Math.max(highest, next);
    return next;
  }

  function makePart(
    user: string,
    near: Region | undefined,
    content: Pick<Part, "counts" | "calls" | "activity" | "limited">,
  ): Part {
    // Not earlier: Workers have neither clock nor randomness before the first request.
    isolate ??= `${now().toString(36)}.${randomBase62(12)}`;
    return { user, isolate, seq: nextOf(user), at: now(), ...(near && { near }), ...content };
  }

  function openBatch(): Batch {
    const batch: Batch = {
      accounts: new Map(),
      parts: [],
      entries: 0,
      bytes: 0,
      waiters: 0,
      tries: 0,
      attempt: null,
      deadline: now() + WINDOW_MS,
      settled: false,
      failure: "no response",
    };
    unsettled.add(batch);
    return batch;
  }

  function close(batch: Batch): void {
    if (open === batch) open = null;
    for (const [user, { near, counts, calls, activity, limited }] of batch.accounts) {
      const seen = { ...(activity.length > 0 && { activity }), ...(limited.length > 0 && { limited }) };
      batch.parts.push(makePart(user, near, { counts, calls, ...seen }));
    }
    batch.accounts.clear();
  }

  function accountOf(batch: Batch, user: string, near: Region | undefined): Account {
    const known = batch.accounts.get(user);
    if (known !== undefined) return known;
    const account: Account = { near, counts: [], calls: [], activity: [], limited: [] };
    batch.accounts.set(user, account);
    batch.bytes += PART_BYTES;
    return account;
  }

  function addCount(batch: Batch, { counts }: Account, count: Count): void {
    // At most a few: a batch closes at a hundred.
    const sums = counts.find((known) => isOfSameKind(known, count));
    if (sums === undefined) {
      counts.push([...count]);
      batch.entries += 1;
      batch.bytes += COUNT_BYTES;
    } else {
      sums[5] += count[5];
      sums[6] += count[6];
    }
  }

  function settle(batch: Batch): void {
    batch.settled = true;
    unsettled.delete(batch);
  }

  /** Delivers a batch's parts to their ledgers, and keeps those that fail. */
  async function deliverDirectly(batch: Batch, { ledgers }: RecordingRequest): Promise<void> {
    const failures: unknown[] = [];
    await Promise.all(
      batch.parts.map(async (part) => {
        try {
          await callLedger(ledgers, part, (ledger) => ledger.record([part]), TRY_TIMEOUT_MS);
          batch.parts = batch.parts.filter((other) => other !== part);
        } catch (error) {
          failures.push(error);
        }
      }),
    );
    if (failures.length > 0) throw failures[0];
  }

  async function deliver(batch: Batch, request: RecordingRequest): Promise<void> {
    const ways = [
      () => request.queue.send({ parts: batch.parts }, { contentType: "json" }),
      () => deliverDirectly(batch, request),
    ] as const;
    const [first, second] = batch.tries < FIRST_DIRECT_TRY ? ways : ways.toReversed();
    try {
      await first!();
    } catch (error) {
      logLine("warn", "usage_send_failed", { count: batch.parts.length, message: failureText(error) });
      await second!();
    }
  }

  /** Never rejects: waiters learn of a failure from the batch. */
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
    const count = batch.parts.reduce((sum, part) => sum + numbersIn(part), 0);
    logLine("error", "usage_lost", { count, message: batch.failure });
  }

  /** One request's share of a batch: waits until it is delivered, and delivers it if no one else does. */
  async function seeThrough(batch: Batch, request: RecordingRequest): Promise<void> {
    if (batch === open) await sleep(WINDOW_MS);
    if (batch === open) close(batch);
    while (!batch.settled) {
      if (batch.attempt === null && batch.tries === MAX_TRIES) return giveUp(batch);
      batch.attempt ??= begin(batch, request);
      const awaited = batch.attempt;
      await Promise.race([awaited, sleep(Math.max(0, batch.deadline - now()))]);
      if (batch.settled) return;
      // It failed or hangs. The first to notice clears it for the next try.
      if (batch.attempt === awaited) batch.attempt = null;
      await sleep(PAUSE_MS);
    }
  }

  /** Makes the request wait for a batch it added to, and for batches that lost their own requests. */
  function waitFor(added: Batch, request: RecordingRequest): void {
    for (const batch of unsettled) {
      if (batch !== added && now() <= batch.deadline + ORPHAN_MS) continue;
      // If it has been open for too long, its waiters are gone.
      if (batch === open && batch.waiters >= WAITERS && now() <= batch.deadline) continue;
      batch.waiters += 1;
      request.waitUntil(seeThrough(batch, request));
    }
  }

  return {
    record(request, { user, near, counts, call }) {
      // Before any await: a request may be killed at each one.
      const batch = (open ??= openBatch());
      const account = accountOf(batch, user, near);
      if (call === null) {
        for (const count of counts) addCount(batch, account, count);
      } else {
        account.calls.push({ ...call, counts: [...counts] });
        batch.entries += 1;
        batch.bytes += PART_BYTES + COUNT_BYTES * counts.length;
      }
      if (batch.entries >= MAX_ENTRIES || batch.bytes >= MAX_BYTES) close(batch);
      waitFor(batch, request);
    },

    note(request, { user, near }, { activity, limited }) {
      const batch = (open ??= openBatch());
      const account = accountOf(batch, user, near);
      account.activity.push(...activity);
      account.limited.push(...limited);
      batch.bytes += SAMPLE_BYTES;
      if (batch.bytes >= MAX_BYTES) close(batch);
      waitFor(batch, request);
    },

    send(request, part) {
      const batch = openBatch();
      batch.parts = [part];
      waitFor(batch, request);
    },

    partOf: ({ user, near, counts, call }) =>
      makePart(
        user,
        near,
        call === null ? { counts: [...counts], calls: [] } : { counts: [], calls: [{ ...call, counts: [...counts] }] },
      ),
  };
}
