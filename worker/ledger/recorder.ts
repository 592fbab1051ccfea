import type { Queue } from "@cloudflare/workers-types";
import { failureText, logLine } from "../platform/log.ts";
import { randomBase62 } from "../platform/random.ts";
import type { Region } from "../platform/site.ts";
import { callLedger } from "./namespace.ts";
import type { LedgerNamespace } from "./namespace.ts";
import { numbersIn } from "./part.ts";
import type { Count, KeyedCall, LimitedMinute, Part, Sample, UsageMessage } from "./part.ts";

/** How long counts are added up before they are sent, in milliseconds. */
const WINDOW_MS = 2_000;
/** A message is closed early at so many entries or about so many bytes; a queue takes 128 KB. */
const MAX_ENTRIES = 100;
const MAX_BYTES = 32 * 1024;
const COUNT_BYTES = 80;
const PART_BYTES = 120;
const SAMPLE_BYTES = 130;
/** Five tries of 4 s, the window and the pauses between end within the 30 s that the platform grants `waitUntil`. */
const MAX_TRIES = 5;
const TRY_TIMEOUT_MS = 4_000;
const PAUSE_MS = 500;
/** From this try on the ledgers come first: the queue may be one that neither takes nor refuses. */
const FIRST_DIRECT_TRY = 4;
/** Requests that wait for a batch which is still open. One would do, were it never killed. */
const WAITERS = 3;
/** A batch so long overdue has lost every request that waited for it. */
const ORPHAN_MS = 2_000;
/** Accounts whose last sequence number is remembered one by one. */
const MAX_ACCOUNTS = 10_000;

/** What a request lends the recorder. Nothing of it is used on behalf of another request. */
export interface RecordingRequest {
  readonly queue: Pick<Queue<UsageMessage>, "send">;
  readonly ledgers: LedgerNamespace;
  waitUntil(work: Promise<unknown>): void;
}

/** Whose call it is. */
export interface RecordedCaller {
  readonly user: string;
  readonly near?: Region | undefined;
}

/** What a call counts for an account. */
export interface Usage extends RecordedCaller {
  readonly counts: readonly Count[];
  /** The call it is, if it came with an Idempotency-Key. */
  readonly call: Pick<KeyedCall, "id" | "alias" | "hours"> | null;
}

export interface UsageRecorder {
  /** Counts what a request was answered, and returns at once: what fails later fails no response. */
  record(request: RecordingRequest, usage: Usage): void;
  /** Has calls that the dashboard shows travel with the counts. */
  note(request: RecordingRequest, caller: RecordedCaller, seen: Required<Pick<Part, "activity" | "limited">>): void;
  /** Sends a part that is complete, as `partOf` made it. */
  send(request: RecordingRequest, part: Part): void;
  /** Usage as a separate part, with the next number of its account. */
  partOf(usage: Usage): Part;
}

/** What the recorder takes from outside. Times are in milliseconds. */
export interface RecorderDependencies {
  sleep(ms: number): Promise<void>;
  now(): number;
}

/** What an open batch has of an account. */
interface Account {
  near: Region | undefined;
  readonly counts: { [At in keyof Count]: Count[At] }[];
  readonly calls: KeyedCall[];
  readonly activity: Sample[];
  readonly limited: LimitedMinute[];
}

/** Whether two counts have the same subscription, key, mode, day and country. */
function isOfSameKind(one: Count, other: Count): boolean {
  for (let at = 0; at < 5; at++) if (one[at] !== other[at]) return false;
  return true;
}

/** Counts that go to the queue as one message, on behalf of all requests that added to it. */
interface Batch {
  readonly accounts: Map<string, Account>;
  /** What is still to be delivered: made when the batch closes, so that every try sends the same. */
  parts: Part[];
  entries: number;
  bytes: number;
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
 * Group commit across the requests of an isolate: their counts are added up and share a message. No request owns the batch. The first
 * three, and the one that fills it, keep themselves alive, sleep out the window, send if nobody has, and take over from a request that
 * was killed while sending. That may send twice, which sequence numbers make harmless. The others end with their response: keeping a
 * thousand requests alive is work for the garbage collector and nobody else. Counts are lost, and `usage_lost` logged with their
 * number, after five tries; or silently, when all requests that wait for a batch are killed and no other takes it over. That takes a
 * counted call to this isolate: with the batch still open, any after its window; once it is closed, any from `ORPHAN_MS` after its
 * deadline on.
 */
export function createUsageRecorder({ sleep, now }: RecorderDependencies): UsageRecorder {
  let open: Batch | null = null;
  const unsettled = new Set<Batch>();
  let isolate: string | undefined;
  const sequences = new Map<string, number>();
  let highest = 0;
  let floor = 0;

  /** Numbers of an account ascend without gaps, except where it was forgotten for others: then they continue above all of them. */
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
    // Not before: Workers have neither time nor chance until the first request.
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
    // A few at most: a batch closes at a hundred.
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

  /** Delivers the parts of a batch to their ledgers, and leaves those that fail. */
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
    const count = batch.parts.reduce((sum, part) => sum + numbersIn(part), 0);
    logLine("error", "usage_lost", { count, message: batch.failure });
  }

  /** One request's share of a batch: waits until somebody has delivered it, and delivers it when nobody else does. */
  async function seeThrough(batch: Batch, request: RecordingRequest): Promise<void> {
    if (batch === open) await sleep(WINDOW_MS);
    if (batch === open) close(batch);
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

  /** Has the request wait for a batch it has added to, and for those that have lost their own. */
  function waitFor(added: Batch, request: RecordingRequest): void {
    for (const batch of unsettled) {
      if (batch !== added && now() <= batch.deadline + ORPHAN_MS) continue;
      // One that is open for too long has lost its waiters.
      if (batch === open && batch.waiters >= WAITERS && now() <= batch.deadline) continue;
      batch.waiters += 1;
      request.waitUntil(seeThrough(batch, request));
    }
  }

  return {
    record(request, { user, near, counts, call }) {
      // Before any await: a request may be killed at every one.
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
