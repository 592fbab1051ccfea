import type { Queue } from "@cloudflare/workers-types";
import { createLru } from "../platform/lru.ts";
import { failureText, logLine } from "../platform/log.ts";
import { randomBase62 } from "../platform/random.ts";
import type { Region } from "../platform/place.ts";
import { MINUTE_MS } from "../platform/time.ts";
import { within } from "../platform/time-limit.ts";
import { addSample } from "./activity.ts";
import { createKnownLimits } from "./known-limits.ts";
import type { Decision, KnownLimits } from "./known-limits.ts";
import { callLedger } from "./namespace.ts";
import type { LedgerNamespace, LedgerStub } from "./namespace.ts";
import { numbersIn } from "./part.ts";
import type { Entry, Part, Sample, UsageMessage } from "./part.ts";
import { createUsageSum } from "./usage-sum.ts";
import type { UsageSum } from "./usage-sum.ts";

/** An account's first window, until its ledger says how long they are. Milliseconds, as below. */
const FIRST_WINDOW_MS = 2_000;
/** How long the ledger, and then the queue, may take to accept a window's part. */
const RECORD_MS = 4_000;
const QUEUE_MS = 5_000;
/** A window this far past the end of its current try has lost its request. A call takes over a few at a time. */
const OVERDUE_MS = 5_000;
const TAKEN_OVER = 20;
/** A window closes early at this many counts and keyed calls: the queue accepts 128 KB. */
const MAX_SIZE = 250;
/** How long a call waits for the ledger. */
const WAIT_MS = 500;
/** Accounts whose windows and limits are remembered: about 17 MB. */
const MAX_ACCOUNTS = 10_000;

/** What the meter borrows from a request. Never used on behalf of another request. */
export interface MeterRequest {
  readonly queue: Pick<Queue<UsageMessage>, "send">;
  readonly ledgers: LedgerNamespace;
  waitUntil(work: Promise<unknown>): void;
}

/** The account of a call, and where its ledger is created if it has none. */
export interface MeteredCaller {
  readonly user: string;
  readonly near?: Region | undefined;
}

/** `waitedMs` is how long the call waited for the ledger, in milliseconds; null if it didn't. */
export type Admission =
  | { readonly outcome: "admitted"; readonly waitedMs: number | null }
  | Extract<Decision, { outcome: "refused" }>
  | { readonly outcome: "unavailable" };

/** An account in an isolate. */
interface Metered {
  readonly user: string;
  /** Identifies this isolate's parts of the account. */
  readonly isolate: string;
  lastSequence: number;
  /** Those of refused parts are used again, so that the ledger can store them as ranges. */
  readonly unusedSequences: number[];
  /** The window that calls are added to. */
  open: Window | null;
  windowMs: number;
  readonly limits: KnownLimits;
  /** Calls over a rate limit that are not sent yet, by minute since the Unix epoch. */
  readonly limited: Map<number, number>;
  /** The last minute in which one opened a window. */
  limitedMinute: number;
  /** The minute and key of the last call that its key may not make: only the first of each is noted. */
  lastRefusal: string;
}

/** An account's calls that are sent together. */
interface Window {
  readonly account: Metered;
  readonly near: Region | undefined;
  readonly usage: UsageSum;
  readonly activity: Sample[];
  /** Null while it is open. Every try sends the same part, so the ledger counts it once. */
  part: Part | null;
  /** When the window, or its current try, should be over. */
  endsAt: number;
}

/**
 * Counts an isolate's calls, and sends each account's to its ledger once per window. Counts are lost if the isolate
 * ends first, or if ledger and queue both fail, which is logged as `usage_lost`.
 */
export function createMeter({ now, sleep }: { now(): number; sleep(ms: number): Promise<void> }) {
  const accounts = createLru<Metered>(MAX_ACCOUNTS);
  const unsettled = new Set<Window>();

  function accountOf(user: string): Metered {
    return accounts.obtain(user, () => ({
      user,
      isolate: `${now().toString(36)}.${randomBase62(12)}`,
      lastSequence: 0,
      unusedSequences: [],
      open: null,
      windowMs: FIRST_WINDOW_MS,
      limits: createKnownLimits(now),
      limited: new Map(),
      limitedMinute: -1,
      lastRefusal: "",
    }));
  }

  function partOf(account: Metered, near: Region | undefined, content: Pick<Part, "entries"> & Partial<Part>): Part {
    const { user, isolate, unusedSequences } = account;
    const seq = unusedSequences.pop() ?? ++account.lastSequence;
    return { user, isolate, seq, at: now(), ...(near && { near }), activity: [], limited: [], ...content };
  }

  function createWindow(account: Metered, near: Region | undefined): Window {
    const window: Window = { account, near, usage: createUsageSum(), activity: [], part: null, endsAt: Infinity };
    unsettled.add(window);
    return window;
  }

  function close({ account, near, usage: { entries }, activity }: Window): Part {
    const limited = [...account.limited].map(([minute, calls]) => ({ minute, calls }));
    account.limited.clear();
    return partOf(account, near, { entries, activity, limited });
  }

  /** Ends a window. @returns whether it was still unsettled */
  function settle(window: Window): boolean {
    if (!unsettled.delete(window)) return false;
    window.account.limits.confirm(window.usage.entries.flatMap(({ uses }) => uses));
    return true;
  }

  /** Sends a window to the ledger or, if that fails, to the queue. Never rejects. */
  async function send(window: Window, request: MeterRequest): Promise<void> {
    const { account } = window;
    if (account.open === window) account.open = null;
    const part = (window.part ??= close(window));
    window.endsAt = now() + RECORD_MS + QUEUE_MS;
    // Last in line again.
    if (unsettled.delete(window)) unsettled.add(window);
    try {
      const { used, windowMs } = await callLedger(
        request.ledgers,
        part,
        (ledger) => ledger.record(part),
        RECORD_MS,
        sleep,
      );
      account.windowMs = windowMs;
      settle(window);
      account.limits.learn(part, used);
      return;
    } catch (error) {
      logLine("warn", "usage_not_recorded", { message: failureText(error) });
      account.limits.distrust();
    }
    try {
      await within(request.queue.send({ part }, { contentType: "json" }), QUEUE_MS, sleep);
      settle(window);
    } catch (error) {
      const count = numbersIn(part);
      if (settle(window) && count > 0) logLine("error", "usage_lost", { count, message: failureText(error) });
    }
  }

  async function sendAtEnd(window: Window, request: MeterRequest): Promise<void> {
    await sleep(window.endsAt - now());
    if (window.part === null) await send(window, request);
  }

  /** Takes over windows whose requests were killed. The oldest comes first, and the others wait for it. */
  function takeOver(request: MeterRequest): void {
    let taken = 0;
    for (const window of unsettled) {
      if (taken === TAKEN_OVER || now() <= window.endsAt + OVERDUE_MS) return;
      taken += 1;
      request.waitUntil(send(window, request));
    }
  }

  /** The account's open window, which ends after this many milliseconds or earlier. */
  function windowOf(account: Metered, near: Region | undefined, request: MeterRequest, ms = account.windowMs): Window {
    const window = (account.open ??= createWindow(account, near));
    const endsAt = now() + ms;
    if (endsAt < window.endsAt) {
      window.endsAt = endsAt;
      request.waitUntil(sendAtEnd(window, request));
    }
    return window;
  }

  /** Counts a call behind its response, in a part that leaves after this many milliseconds or earlier. */
  function add(request: MeterRequest, { user, near }: MeteredCaller, entry: Entry, ms?: number): void {
    takeOver(request);
    const window = windowOf(accountOf(user), near, request, ms);
    window.usage.add(entry);
    if (window.usage.size >= MAX_SIZE) request.waitUntil(send(window, request));
  }

  /** Adds a call to the sample that the dashboard shows. */
  function note(request: MeterRequest, { user, near }: MeteredCaller, sample: Sample): void {
    takeOver(request);
    const account = accountOf(user);
    const minute = Math.floor(sample.at / MINUTE_MS);
    if (sample.status === 401 || sample.status === 403) {
      const refusal = `${minute} ${sample.key_id}`;
      if (account.lastRefusal === refusal) return;
      account.lastRefusal = refusal;
    }
    if (sample.status !== 429) return addSample(windowOf(account, near, request).activity, sample);
    account.limited.set(minute, (account.limited.get(minute) ?? 0) + 1);
    // A flood costs one part per minute: the rest goes with the next one.
    if (account.limitedMinute === minute) return;
    account.limitedMinute = minute;
    windowOf(account, near, request);
  }

  async function ask(
    request: MeterRequest,
    account: Metered,
    near: Region | undefined,
    entry: Entry,
  ): Promise<Admission> {
    const part = partOf(account, near, { entries: [entry] });
    const began = now();
    try {
      const record = (ledger: LedgerStub) => ledger.record(part, { enforce: true });
      const { used, refusedBy } = await callLedger(request.ledgers, part, record, WAIT_MS, sleep);
      account.limits.learn(part, used);
      if (refusedBy === null) return { outcome: "admitted", waitedMs: now() - began };
      account.unusedSequences.push(part.seq);
      const use = entry.uses.find(({ meter }) => meter === refusedBy);
      // Only a ledger of another release could refuse for a limit that the call doesn't use.
      if (use === undefined) return { outcome: "unavailable" };
      return { outcome: "refused", use, used: used[use.meter]! };
    } catch (error) {
      logLine("warn", "ledger_not_reached", { message: failureText(error) });
      // The part may be counted, and must not be sent again: the caller gets no result.
      if (!account.limits.admitUnreached(numbersIn(part))) return { outcome: "unavailable" };
      request.waitUntil(send(Object.assign(createWindow(account, near), { part }), request));
      return { outcome: "admitted", waitedMs: now() - began };
    }
  }

  /** Admits a call with limits, and counts it, as `KnownLimits` decides. */
  async function admit(request: MeterRequest, caller: MeteredCaller, entry: Entry): Promise<Admission> {
    const account = accountOf(caller.user);
    const decision = account.limits.decide(entry);
    if (decision.outcome === "refused") return decision;
    if (decision.outcome === "ask") return ask(request, account, caller.near, entry);
    // "At once" is after the response, so that the part has the call's sample too.
    add(request, caller, entry, decision.counted === "at once" ? 0 : undefined);
    return { outcome: "admitted", waitedMs: null };
  }

  return { add, note, admit };
}

export type Meter = ReturnType<typeof createMeter>;
