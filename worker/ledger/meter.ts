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
import type { LedgerNamespace } from "./namespace.ts";
import { numbersIn } from "./part.ts";
import type { Entry, Part, Sample, Use, UsageMessage } from "./part.ts";
import { createUsageSum } from "./usage-sum.ts";
import type { UsageSum } from "./usage-sum.ts";

/** An account's first window, until its ledger says how long they are. Milliseconds, as below. */
const FIRST_WINDOW_MS = 2_000;
/** How long the ledger, and then the queue, may take to accept a window's part. */
const RECORD_MS = 4_000;
const QUEUE_MS = 5_000;
/** A window this far past the end of its current try has lost its request. */
const OVERDUE_MS = 5_000;
/** A window closes early at this many counts and keyed calls: the queue accepts 128 KB. */
const MAX_SIZE = 250;
/** How long a call waits for the ledger. */
const WAIT_MS = 500;
/** How many numbers of an account with a limit an isolate admits until the ledger responds again. */
export const UNREACHED_NUMBERS = 25;
const RETRY_AFTER_SECONDS = 5;
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
  | { readonly outcome: "unavailable"; readonly retryAfter: number };

interface Account {
  readonly user: string;
  /** Identifies this isolate's parts of the account. */
  readonly isolate: string;
  lastSeq: number;
  /** Sequence numbers of refused parts, used again so that the ledger can store them as ranges. */
  readonly unusedSeqs: number[];
  /** The window that calls are added to. */
  open: Window | null;
  windowMs: number;
  readonly limits: KnownLimits;
  /** Numbers admitted since the ledger last responded to a call that waited for it. */
  unreached: number;
  /** Calls over a rate limit that are not sent yet, by minute, and the last minute that opened a window. */
  readonly limited: Map<number, number>;
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
 * Counts the calls of an isolate, and sends each account's to its ledger once per window: from the request that opened
 * the window, in `waitUntil`, or through the queue if the ledger fails. If that request is killed, a later call takes
 * the window over. Counts are lost if no later call comes, or if ledger and queue both fail, which is logged as
 * `usage_lost`.
 *
 * A call with limits goes ahead while the isolate knows that there is plenty left. Otherwise it is a separate part,
 * which the ledger accepts or refuses before the response.
 */
export function createMeter({ now, sleep }: { now(): number; sleep(ms: number): Promise<void> }) {
  const accounts = createLru<Account>(MAX_ACCOUNTS);
  const unsettled = new Set<Window>();

  function accountOf(user: string): Account {
    return accounts.obtain(user, () => ({
      user,
      isolate: `${now().toString(36)}.${randomBase62(12)}`,
      lastSeq: 0,
      unusedSeqs: [],
      open: null,
      windowMs: FIRST_WINDOW_MS,
      limits: createKnownLimits(now),
      unreached: 0,
      limited: new Map(),
      limitedMinute: -1,
    }));
  }

  function partOf(account: Account, near: Region | undefined, content: Pick<Part, "entries"> & Partial<Part>): Part {
    const { user, isolate, unusedSeqs } = account;
    const seq = unusedSeqs.pop() ?? ++account.lastSeq;
    return { user, isolate, seq, at: now(), ...(near && { near }), activity: [], limited: [], ...content };
  }

  function createWindow(account: Account, near: Region | undefined, part: Part | null): Window {
    const endsAt = now() + account.windowMs;
    const window: Window = { account, near, usage: createUsageSum(), activity: [], part, endsAt };
    unsettled.add(window);
    return window;
  }

  function close({ account, near, usage: { entries }, activity }: Window): Part {
    const limited = [...account.limited].map(([minute, calls]) => ({ minute, calls }));
    account.limited.clear();
    return partOf(account, near, { entries, activity, limited });
  }

  function record({ ledgers }: MeterRequest, part: Part, options: { readonly enforce: boolean }, ms: number) {
    const { user, near } = part;
    return within(ledgers.getByName(user, near && { locationHint: near }).record(part, options), ms, sleep);
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
    try {
      const reply = await record(request, part, { enforce: false }, RECORD_MS);
      account.windowMs = reply.windowMs;
      account.unreached = 0;
      settle(window);
      account.limits.learn(reply.used);
      return;
    } catch (error) {
      logLine("warn", "usage_not_recorded", { message: failureText(error) });
    }
    try {
      await within(request.queue.send({ part }, { contentType: "json" }), QUEUE_MS, sleep);
      settle(window);
    } catch (error) {
      if (settle(window)) logLine("error", "usage_lost", { count: numbersIn(part), message: failureText(error) });
    }
  }

  async function sendAtEnd(window: Window, request: MeterRequest): Promise<void> {
    await sleep(window.endsAt - now());
    if (window.part === null) await send(window, request);
  }

  /** Takes over windows whose requests were killed, oldest first: a later one waits until those before it are sent. */
  function takeOver(request: MeterRequest): void {
    for (const window of unsettled) {
      if (now() <= window.endsAt + OVERDUE_MS) return;
      request.waitUntil(send(window, request));
    }
  }

  function windowOf(account: Account, near: Region | undefined, request: MeterRequest): Window {
    if (account.open === null) {
      account.open = createWindow(account, near, null);
      request.waitUntil(sendAtEnd(account.open, request));
    }
    return account.open;
  }

  /** Counts a call behind its response, or a sample of the calls that the dashboard shows, or both. */
  function add(
    request: MeterRequest,
    { user, near }: MeteredCaller,
    { entry, sample }: { readonly entry?: Entry; readonly sample?: Sample },
  ): void {
    takeOver(request);
    const account = accountOf(user);
    const isLimited = sample?.status === 429;
    if (isLimited) {
      const minute = Math.floor(sample.at / MINUTE_MS);
      account.limited.set(minute, (account.limited.get(minute) ?? 0) + 1);
      // A flood costs one part per minute: the rest goes with the next one.
      if (account.limitedMinute === minute) return;
      account.limitedMinute = minute;
    }
    const window = windowOf(account, near, request);
    if (entry !== undefined) window.usage.add(entry);
    if (sample !== undefined && !isLimited) addSample(window.activity, sample);
    if (window.usage.size >= MAX_SIZE) request.waitUntil(send(window, request));
  }

  async function ask(request: MeterRequest, { user, near }: MeteredCaller, entry: Entry): Promise<Admission> {
    const account = accountOf(user);
    const numbers = numbersIn({ entries: [entry] });
    const part = partOf(account, near, { entries: [entry] });
    const began = now();
    try {
      const reply = await record(request, part, { enforce: true }, WAIT_MS);
      account.unreached = 0;
      account.limits.learn(reply.used);
      const use = entry.uses.find(({ meter }) => meter === reply.refusedBy);
      if (use === undefined) return { outcome: "admitted", waitedMs: now() - began };
      account.unusedSeqs.push(part.seq);
      return { outcome: "refused", use, used: reply.used[use.meter]! };
    } catch (error) {
      logLine("warn", "ledger_not_reached", { message: failureText(error) });
      // The part may be counted, and must not be sent again: the caller gets no result.
      if (account.unreached + numbers > UNREACHED_NUMBERS) {
        return { outcome: "unavailable", retryAfter: RETRY_AFTER_SECONDS };
      }
      account.unreached += numbers;
      request.waitUntil(send(createWindow(account, near, part), request));
      return { outcome: "admitted", waitedMs: now() - began };
    }
  }

  /**
   * Admits a call with limits, and counts it. A single number waits for the ledger only when the isolate doesn't know
   * that there is plenty left; a call with more always does.
   */
  async function admit(request: MeterRequest, caller: MeteredCaller, entry: Entry): Promise<Admission> {
    const { limits } = accountOf(caller.user);
    const usedUp = limits.usedUp(entry.uses);
    // A call with an Idempotency-Key may be a retry, which needs nothing.
    if (usedUp !== undefined && entry.call === undefined) return { outcome: "refused", ...usedUp };
    takeOver(request);
    const isSingle = numbersIn({ entries: [entry] }) === 1;
    if (!isSingle || !limits.admit(entry.uses)) return ask(request, caller, entry);
    add(request, caller, { entry });
    return { outcome: "admitted", waitedMs: null };
  }

  return { add, admit };
}

export type Meter = ReturnType<typeof createMeter>;
