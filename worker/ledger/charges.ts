import { createLru } from "../platform/lru.ts";
import { failureText, logLine } from "../platform/log.ts";
import { within } from "../platform/time-limit.ts";
import type { Charged } from "./ledger.ts";
import type { Limit, Part } from "./part.ts";
import type { RecordingRequest, Usage, UsageRecorder } from "./recorder.ts";

/** Limits and accounts that an isolate remembers: about 3 MB. */
const MAX_LIMITS = 10_000;
const MAX_ACCOUNTS = 10_000;
/** How long a call waits for the ledger, in milliseconds, … */
const WAIT_MS = 500;
/** … how often and for how long it asks while what is left is set aside for other isolates, … */
const ASK_AGAIN_MS = 100;
const HELD_MS = 200;
/** … and how long a charge behind a response may take before it goes by the queue. */
const BEHIND_MS = 4_000;
/** How many numbers of an account an isolate lets through while the ledger does not respond. */
export const UNCONFIRMED_NUMBERS = 25;
/** By then, in seconds, a lease that holds back a call has run out. */
const RETRY_AFTER_SECONDS = 15;

/** A call whose limits have to be charged. */
export interface LimitedCall {
  readonly usage: Usage;
  readonly limits: readonly Limit[];
  /** How many numbers it is about. */
  readonly numbers: number;
}

/**
 * What came of a call: whether it may be answered, and how long its ledger was waited for, in milliseconds; null if it was not.
 * `unavailable` when the ledger does not respond and as many numbers were let through without it as may be.
 */
export type Admission =
  | { readonly outcome: "admitted"; readonly waitedMs: number | null }
  | { readonly outcome: "refused"; readonly limit: Limit; readonly used: number }
  | { readonly outcome: "unavailable"; readonly retryAfter: number };

/** What an isolate knows of one limit of an account. Times are in milliseconds since the Unix epoch. */
interface Standing {
  /** How many numbers may be charged without waiting at a time, … */
  lease: number;
  /** … until then. */
  until: number;
  /** How many are. */
  underway: number;
  /** Calls that wait for the ledger. Meanwhile the lease is not used, so that they need not leave it. */
  waiting: number;
  /** How much of it the ledger said is used: no less later, since another period has another meter. */
  used: number;
}

const newStanding = (): Standing => ({ lease: 0, until: 0, underway: 0, waiting: 0, used: 0 });

/** What an isolate knows of the ledger of an account. */
interface Account {
  /** How many numbers were let through since the ledger responded last, without knowing whether they were charged. */
  unconfirmed: number;
}

/**
 * Charges calls at the ledger of their account. A call waits for it unless its numbers, with those under way, are within the isolate's
 * lease of each of its limits: about a fiftieth of what is left. A lease is set aside by the ledger, so that without faults no limit is
 * ever exceeded.
 */
export function createCharger(
  recorder: UsageRecorder,
  { now, sleep }: { now(): number; sleep(ms: number): Promise<void> },
) {
  const standings = createLru<Standing>(MAX_LIMITS);
  const accounts = createLru<Account>(MAX_ACCOUNTS);

  function leaseOf({ lease, until, waiting }: Standing): number {
    return waiting === 0 && now() < until ? lease : 0;
  }

  /** Notes what the ledger replied of a limit. Replies may overtake each other, so a lease grows only after the one before has run out. */
  function note(standing: Standing, reply: Charged, at: number, askedAt: number): void {
    standing.used = Math.max(standing.used, reply.used[at]!);
    if (reply.outcome !== "charged") return;
    const lease = reply.leases[at]!;
    standing.lease = now() < standing.until ? Math.min(standing.lease, lease) : lease;
    standing.until = askedAt + reply.leaseMs;
  }

  return async function charge(request: RecordingRequest, { usage, limits, numbers }: LimitedCall): Promise<Admission> {
    const { user } = usage;
    const account = accounts.obtain(user, () => ({ unconfirmed: 0 }));
    const known = limits.map(({ meter }) => standings.obtain(`${user} ${meter}`, newStanding));
    const over = limits.findIndex(({ most }, at) => most <= known[at]!.used);
    if (over >= 0 && usage.call === null) return { outcome: "refused", limit: limits[over]!, used: known[over]!.used };
    const part: Part = { ...recorder.partOf(usage), limits: [...limits] };

    async function ask(leased: boolean, ms: number): Promise<Charged> {
      const askedAt = now();
      const ledger = request.ledgers.getByName(user, part.near && { locationHint: part.near });
      const holding = known.map((standing) => Math.max(standing.underway, leaseOf(standing)));
      const reply = await within(ledger.charge({ part, holding, leased }), ms, sleep);
      account.unconfirmed = 0;
      for (const [at, standing] of known.entries()) note(standing, reply, at, askedAt);
      return reply;
    }

    /** Charges a call that has been answered. What cannot be charged is counted all the same, by the queue. */
    async function chargeBehind(): Promise<void> {
      try {
        const { outcome } = await ask(true, BEHIND_MS);
        if (outcome !== "charged") recorder.send(request, part);
      } catch (error) {
        logLine("warn", "charge_delayed", { message: failureText(error) });
        account.unconfirmed += numbers;
        recorder.send(request, part);
      } finally {
        for (const standing of known) standing.underway -= numbers;
      }
    }

    if (account.unconfirmed === 0 && known.every((standing) => standing.underway + numbers <= leaseOf(standing))) {
      for (const standing of known) standing.underway += numbers;
      request.waitUntil(chargeBehind());
      return { outcome: "admitted", waitedMs: null };
    }
    const began = now();
    for (const standing of known) standing.waiting += 1;
    try {
      while (true) {
        const { outcome, over: refused, used } = await ask(false, began + WAIT_MS - now());
        if (outcome === "refused") return { outcome, limit: limits[refused]!, used: used[refused]! };
        if (outcome === "charged") return { outcome: "admitted", waitedMs: now() - began };
        if (now() - began >= HELD_MS) return { outcome: "unavailable", retryAfter: RETRY_AFTER_SECONDS };
        await sleep(ASK_AGAIN_MS);
      }
    } catch (error) {
      logLine("warn", "charge_delayed", { message: failureText(error) });
      if (account.unconfirmed + numbers > UNCONFIRMED_NUMBERS) {
        // The charge may have arrived, and must not be counted: its numbers were not given.
        return { outcome: "unavailable", retryAfter: 5 };
      }
      account.unconfirmed += numbers;
      recorder.send(request, part);
      return { outcome: "admitted", waitedMs: now() - began };
    } finally {
      for (const standing of known) standing.waiting -= 1;
    }
  };
}

export type Charge = ReturnType<typeof createCharger>;
