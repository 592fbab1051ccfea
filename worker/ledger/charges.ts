import { createLru } from "../platform/lru.ts";
import { failureText, logLine } from "../platform/log.ts";
import { within } from "../platform/time-limit.ts";
import type { Charged } from "./ledger.ts";
import type { Limit, Part } from "./part.ts";
import type { RecordingRequest, Usage, UsageRecorder } from "./recorder.ts";

/** Limits and accounts an isolate remembers: about 3 MB. */
const MAX_LIMITS = 10_000;
const MAX_ACCOUNTS = 10_000;
/** How long a call waits for the ledger, in milliseconds, … */
const WAIT_MS = 500;
/** … how often and for how long it retries while the rest of a limit is leased to other isolates, … */
const ASK_AGAIN_MS = 100;
const HELD_MS = 200;
/** … and how long a background charge may take before it goes through the queue. */
const BEHIND_MS = 4_000;
/** How many numbers of an account an isolate admits while the ledger does not respond. */
export const UNCONFIRMED_NUMBERS = 25;
/** By then, in seconds, any lease that holds back a call has expired. */
const RETRY_AFTER_SECONDS = 15;

/** A call whose limits must be charged. */
export interface LimitedCall {
  readonly usage: Usage;
  readonly limits: readonly Limit[];
  /** How many numbers it contains. */
  readonly numbers: number;
}

/**
 * The outcome of a call: whether it may proceed, and how long it waited for the ledger, in milliseconds; null if it
 * didn't. `unavailable` when the ledger does not respond and the allowance without it is used up.
 */
export type Admission =
  | { readonly outcome: "admitted"; readonly waitedMs: number | null }
  | { readonly outcome: "rejected"; readonly limit: Limit; readonly used: number }
  | { readonly outcome: "unavailable"; readonly retryAfter: number };

/** An isolate's view of one limit of an account. Times are in milliseconds since the Unix epoch. */
interface Standing {
  /** How many numbers may be in flight without waiting, … */
  lease: number;
  /** … until then. */
  until: number;
  /** How many numbers are in flight. */
  underway: number;
  /** Calls waiting for the ledger. Meanwhile the lease is not used, so they don't have to reserve it. */
  waiting: number;
  /** Usage last reported by the ledger. Never decreases, since another period has another meter. */
  used: number;
}

const newStanding = (): Standing => ({ lease: 0, until: 0, underway: 0, waiting: 0, used: 0 });

/** An isolate's view of an account's ledger. */
interface Account {
  /** How many numbers were admitted since the ledger last responded, without a confirmed charge. */
  unconfirmed: number;
}

/**
 * Charges calls to their account's ledger. A call waits unless its numbers, plus those in flight, fit the isolate's
 * lease of each limit: about a fiftieth of what is left. The ledger sets leases aside, so without faults no limit is
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

  /**
   * Applies the ledger's reply about a limit. Replies can overtake each other, so a lease grows only after the previous
   * one has expired.
   */
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
    if (over >= 0 && usage.call === null) return { outcome: "rejected", limit: limits[over]!, used: known[over]!.used };
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

    /** Charges a call after its response. If that fails, the queue still counts it. */
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
        const { outcome, over: rejected, used } = await ask(false, began + WAIT_MS - now());
        if (outcome === "rejected") return { outcome, limit: limits[rejected]!, used: used[rejected]! };
        if (outcome === "charged") return { outcome: "admitted", waitedMs: now() - began };
        if (now() - began >= HELD_MS) return { outcome: "unavailable", retryAfter: RETRY_AFTER_SECONDS };
        await sleep(ASK_AGAIN_MS);
      }
    } catch (error) {
      logLine("warn", "charge_delayed", { message: failureText(error) });
      if (account.unconfirmed + numbers > UNCONFIRMED_NUMBERS) {
        // The charge may have landed, and must not be counted: the caller got no results.
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
