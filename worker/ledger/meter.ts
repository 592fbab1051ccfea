import type { Queue } from "@cloudflare/workers-types";
import { createLru } from "../platform/lru.ts";
import { failureText, logLine } from "../platform/log.ts";
import { randomBase62 } from "../platform/random.ts";
import type { Region } from "../platform/site.ts";
import { MINUTE_MS } from "../platform/time.ts";
import { within } from "../platform/time-limit.ts";
import { addSample } from "./activity.ts";
import { createKnownLimits } from "./known-limits.ts";
import type { KnownLimits } from "./known-limits.ts";
import { callLedger } from "./namespace.ts";
import type { LedgerNamespace, LedgerStub } from "./namespace.ts";
import { numbersIn } from "./part.ts";
import type { Entry, Part, Sample, Use, UsageMessage } from "./part.ts";
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
/** How many numbers of an account with a limit an isolate admits until the ledger responds again. */
export const UNREACHED_NUMBERS = 25;
/** Accounts whose windows and limits are remembered: about 5 MB. */
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
  | { readonly outcome: "refused"; readonly use: Use; readonly used: number }
  | { readonly outcome: "unavailable" };

interface Account {
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
  /** Numbers admitted since the ledger was last known to respond. */
  unreached: number;
  /** Calls over a rate limit that are not sent yet, by minute since the Unix epoch. */
  readonly limited: Map<number, number>;
  /** The last minute in which one opened a window. */
  limitedMinute: number;
}

/** An account's calls that are sent together. */
interface Window {
  readonly account: Account;
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
  const accounts = createLru<Account>(MAX_ACCOUNTS);
  const unsettled = new Set<Window>();

  function accountOf(user: string): Account {
    return accounts.obtain(user, () => ({
      user,
      isolate: `${now().toString(36)}.${randomBase62(12)}`,
      lastSequence: 0,
      unusedSequences: [],
      open: null,
      windowMs: FIRST_WINDOW_MS,
      limits: createKnownLimits(now),
      unreached: 0,
      limited: new Map(),
      limitedMinute: -1,
    }));
  }

  function partOf(account: Account, near: Region | undefined, content: Pick<Part, "entries"> & Partial<Part>): Part {
    const { user, isolate, unusedSequences } = account;
    const seq = unusedSequences.pop() ?? ++account.lastSequence;
    return { user, isolate, seq, at: now(), ...(near && { near }), activity: [], limited: [], ...content };
  }

  function createWindow(account: Account, near: Region | undefined): Window {
    const endsAt = now() + account.windowMs;
    const window: Window = { account, near, usage: createUsageSum(), activity: [], part: null, endsAt };
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
      account.limits.learn(used);
      const uses = part.entries.flatMap((entry) => entry.uses);
      // Once a limit is used up, a ledger that responds too late must not renew what is admitted without it.
      if (uses.length > 0 && uses.every(({ meter, most }) => used[meter]! < most)) account.unreached = 0;
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

  function windowOf(account: Account, near: Region | undefined, request: MeterRequest): Window {
    if (account.open === null) {
      account.open = createWindow(account, near);
      request.waitUntil(sendAtEnd(account.open, request));
    }
    return account.open;
  }

  /** Counts a call behind its response. */
  function add(request: MeterRequest, { user, near }: MeteredCaller, entry: Entry): void {
    takeOver(request);
    const window = windowOf(accountOf(user), near, request);
    window.usage.add(entry);
    if (window.usage.size >= MAX_SIZE) request.waitUntil(send(window, request));
  }

  /** Adds a call to the sample that the dashboard shows. */
  function note(request: MeterRequest, { user, near }: MeteredCaller, sample: Sample): void {
    takeOver(request);
    const account = accountOf(user);
    if (sample.status !== 429) return addSample(windowOf(account, near, request).activity, sample);
    const minute = Math.floor(sample.at / MINUTE_MS);
    account.limited.set(minute, (account.limited.get(minute) ?? 0) + 1);
    // A flood costs one part per minute: the rest goes with the next one.
    if (account.limitedMinute === minute) return;
    account.limitedMinute = minute;
    windowOf(account, near, request);
  }

  async function ask(
    request: MeterRequest,
    account: Account,
    near: Region | undefined,
    entry: Entry,
  ): Promise<Admission> {
    const part = partOf(account, near, { entries: [entry] });
    const began = now();
    try {
      const record = (ledger: LedgerStub) => ledger.record(part, { enforce: true });
      const { used, refusedBy } = await callLedger(request.ledgers, part, record, WAIT_MS, sleep);
      account.limits.learn(used);
      const use = entry.uses.find(({ meter }) => meter === refusedBy);
      if (use !== undefined) {
        account.unusedSequences.push(part.seq);
        return { outcome: "refused", use, used: used[use.meter]! };
      }
      account.unreached = 0;
      return { outcome: "admitted", waitedMs: now() - began };
    } catch (error) {
      logLine("warn", "ledger_not_reached", { message: failureText(error) });
      const numbers = numbersIn(part);
      // The part may be counted, and must not be sent again: the caller gets no result.
      if (account.unreached + numbers > UNREACHED_NUMBERS) return { outcome: "unavailable" };
      account.unreached += numbers;
      request.waitUntil(send(Object.assign(createWindow(account, near), { part }), request));
      return { outcome: "admitted", waitedMs: now() - began };
    }
  }

  /**
   * Admits a call with limits, and counts it. A single number waits for the ledger only when the isolate doesn't know
   * that there is plenty left; a call with more always does.
   */
  async function admit(request: MeterRequest, caller: MeteredCaller, entry: Entry): Promise<Admission> {
    const account = accountOf(caller.user);
    const usedUp = account.limits.usedUp(entry.uses);
    // A call with an Idempotency-Key may be a retry, which needs nothing.
    if (usedUp !== undefined && entry.call === undefined) return { outcome: "refused", ...usedUp };
    const isSingle = numbersIn({ entries: [entry] }) === 1;
    if (!isSingle || !account.limits.admit(entry.uses)) return ask(request, account, caller.near, entry);
    add(request, caller, entry);
    return { outcome: "admitted", waitedMs: null };
  }

  return { add, note, admit };
}

export type Meter = ReturnType<typeof createMeter>;
