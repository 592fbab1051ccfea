import { createLru } from "../platform/lru.ts";
import { failureText, logLine } from "../platform/log.ts";
import { within } from "../platform/time-limit.ts";
import type { Charged } from "./ledger.ts";
import type { Limit, Part } from "./part.ts";
import type { RecordingRequest, Usage, UsageRecorder } from "./recorder.ts";

/** Accounts whose limits an isolate remembers: about 2 MB. */
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
  | { readonly outcome: "refused"; readonly meter: string; readonly left: number }
  | { readonly outcome: "unavailable"; readonly retryAfter: number };

/** What an isolate knows of the limits of one account. Times are in milliseconds since the Unix epoch. */
interface Standing {
  /** How many numbers may be charged without waiting at a time, … */
  lease: number;
  /** … until then. */
  until: number;
  /** How many are. */
  underway: number;
  /** Calls that wait for the ledger. Meanwhile the lease is not used, so that they need not leave it. */
  waiting: number;
  /** How many were let through since the ledger responded last, without knowing whether they were charged. */
  unconfirmed: number;
  /** The limit that is used up, for good: another period has another meter. */
  usedUp: string | null;
}

/**
 * Charges calls at the ledger of their account. A call waits for it unless its numbers, with those under way, are within the isolate's
 * lease: about a fiftieth of what is left. A lease is set aside by the ledger, so that without faults no limit is ever exceeded.
 */
export function createCharger(
  recorder: UsageRecorder,
  { now, sleep }: { now(): number; sleep(ms: number): Promise<void> },
) {
  const standings = createLru<Standing>(MAX_ACCOUNTS);

  function standingOf(name: string): Standing {
    const known = standings.get(name);
    if (known !== undefined) return known;
    const made: Standing = { lease: 0, until: 0, underway: 0, waiting: 0, unconfirmed: 0, usedUp: null };
    standings.set(name, made);
    return made;
  }

  function leaseOf({ lease, until, waiting }: Standing): number {
    return waiting === 0 && now() < until ? lease : 0;
  }

  /** Notes what the ledger replied. Replies may overtake each other, so a lease grows only after the one before it has run out. */
  function note(standing: Standing, { outcome, left, meter, lease, leaseMs }: Charged, askedAt: number): void {
    standing.unconfirmed = 0;
    if (left === 0) standing.usedUp = meter;
    if (outcome !== "charged") return;
    standing.lease = now() < standing.until ? Math.min(standing.lease, lease) : lease;
    standing.until = askedAt + leaseMs;
  }

  async function ask(
    request: RecordingRequest,
    standing: Standing,
    part: Part,
    { leased, ms }: { readonly leased: boolean; readonly ms: number },
  ): Promise<Charged> {
    const askedAt = now();
    const ledger = request.ledgers.getByName(part.user, part.near && { locationHint: part.near });
    const holding = Math.max(standing.underway, leaseOf(standing));
    const charge = { part, holding, leased };
    const reply = await within(ledger.charge(charge), ms, sleep);
    note(standing, reply, askedAt);
    return reply;
  }

  /** Charges a call that has been answered. What cannot be charged is counted all the same, by the queue. */
  async function chargeBehind(request: RecordingRequest, standing: Standing, part: Part, numbers: number) {
    try {
      const { outcome } = await ask(request, standing, part, { leased: true, ms: BEHIND_MS });
      if (outcome !== "charged") recorder.send(request, part);
    } catch (error) {
      logLine("warn", "charge_delayed", { message: failureText(error) });
      standing.unconfirmed += numbers;
      recorder.send(request, part);
    } finally {
      standing.underway -= numbers;
    }
  }

  return async function charge(request: RecordingRequest, { usage, limits, numbers }: LimitedCall): Promise<Admission> {
    const standing = standingOf(`${usage.user} ${limits.map(({ meter }) => meter).join()}`);
    if (standing.usedUp !== null && usage.call === null) {
      return { outcome: "refused", meter: standing.usedUp, left: 0 };
    }
    const part: Part = { ...recorder.partOf(usage), limits: [...limits] };
    if (standing.unconfirmed === 0 && standing.underway + numbers <= leaseOf(standing)) {
      standing.underway += numbers;
      request.waitUntil(chargeBehind(request, standing, part, numbers));
      return { outcome: "admitted", waitedMs: null };
    }
    const began = now();
    standing.waiting += 1;
    try {
      while (true) {
        const ms = began + WAIT_MS - now();
        const { outcome, meter, left } = await ask(request, standing, part, { leased: false, ms });
        if (outcome === "refused") return { outcome, meter, left };
        if (outcome === "charged") return { outcome: "admitted", waitedMs: now() - began };
        if (now() - began >= HELD_MS) return { outcome: "unavailable", retryAfter: RETRY_AFTER_SECONDS };
        await sleep(ASK_AGAIN_MS);
      }
    } catch (error) {
      logLine("warn", "charge_delayed", { message: failureText(error) });
      if (standing.unconfirmed + numbers > UNCONFIRMED_NUMBERS) {
        // The charge may have arrived, and must not be counted: its numbers were not given.
        return { outcome: "unavailable", retryAfter: 5 };
      }
      standing.unconfirmed += numbers;
      recorder.send(request, part);
      return { outcome: "admitted", waitedMs: now() - began };
    } finally {
      standing.waiting -= 1;
    }
  };
}

export type Charge = ReturnType<typeof createCharger>;
