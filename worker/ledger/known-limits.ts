import { numbersIn } from "./part.ts";
import type { Entry, Part, Use } from "./part.ts";

/** How long the ledger's reply is recent, in milliseconds, … */
const RECENT_MS = 10_000;
/** … and which share of what was left then is plenty. */
const PLENTY_SHARE = 1 / 20;
/** Single numbers that an isolate admits without knowing of plenty, until the ledger has replied, … */
export const UNKNOWN_NUMBERS = 5;
/** … and numbers that it admits in all if the ledger doesn't respond. */
export const UNREACHED_NUMBERS = 25;
/** Limits remembered per account, besides those in use at the moment: its quota, its live keys' caps, and a few of earlier days and months. */
const MAX_LIMITS = 16;

interface KnownLimit {
  /** As the ledger last reported, and when, in milliseconds since the Unix epoch. */
  used: number;
  at: number;
  /** Admitted here, and not confirmed by the ledger. */
  unconfirmed: number;
}

/**
 * What becomes of a call with limits: it is refused, it waits for the ledger (`ask`), or it is admitted and counted
 * behind its response, with others or, so that the ledger's reply comes soon, at once.
 */
export type Decision =
  | { readonly outcome: "refused"; readonly use: Use; readonly used: number }
  | { readonly outcome: "ask" }
  | { readonly outcome: "admitted"; readonly counted: "with others" | "at once" };

const ASK: Decision = { outcome: "ask" };

/** What an isolate knows of an account's limits and has admitted since, and what it decides by that. */
export function createKnownLimits(now: () => number) {
  /** By meter, the last used at the end. */
  const limits = new Map<string, KnownLimit>();
  /** Numbers admitted without knowing of plenty, since the ledger last replied that something is left. */
  let unreplied = 0;
  /** Whether the ledger's last call succeeded. */
  let isReachable = true;

  /** Forgets the limit used longest ago, except this one and those with admissions still to be confirmed. */
  function forgetOne(kept: string): void {
    for (const [meter, { unconfirmed }] of limits) {
      if (meter !== kept && unconfirmed === 0) return void limits.delete(meter);
    }
  }

  function limitOf({ meter }: Use): KnownLimit {
    const limit = limits.get(meter) ?? { used: 0, at: -Infinity, unconfirmed: 0 };
    limits.delete(meter);
    limits.set(meter, limit);
    if (limits.size > MAX_LIMITS) forgetOne(meter);
    return limit;
  }

  function isRecent({ at }: KnownLimit): boolean {
    return now() - at < RECENT_MS;
  }

  function hasPlenty({ use, limit }: { readonly use: Use; readonly limit: KnownLimit }): boolean {
    if (!isReachable || !isRecent(limit)) return false;
    return limit.unconfirmed + use.amount <= PLENTY_SHARE * (use.most - limit.used);
  }

  return {
    /** Decides on a call, and notes what it admits. Only a single number is admitted without the ledger. */
    decide(entry: Entry): Decision {
      const { uses, call } = entry;
      const known = uses.map((use) => ({ use, limit: limitOf(use) }));
      const refusing = known.find(({ use, limit }) => isRecent(limit) && limit.used >= use.most);
      // A call with an Idempotency-Key may be a retry, which needs nothing.
      if (refusing !== undefined && call === undefined) {
        return { outcome: "refused", use: refusing.use, used: refusing.limit.used };
      }
      // However old the reply is, and with what was admitted here since.
      const isUsedUp = known.some(({ use, limit }) => limit.used + limit.unconfirmed >= use.most);
      if (isUsedUp || numbersIn({ entries: [entry] }) > 1) return ASK;
      const isPlenty = known.every(hasPlenty);
      if (!isPlenty && unreplied >= UNKNOWN_NUMBERS) return ASK;
      if (!isPlenty) unreplied += 1;
      for (const { use, limit } of known) limit.unconfirmed += use.amount;
      return { outcome: "admitted", counted: isPlenty ? "with others" : "at once" };
    },

    /** Admits numbers whose call has asked the ledger in vain. @returns whether it did */
    admitUnreached(numbers: number): boolean {
      if (unreplied + numbers > UNREACHED_NUMBERS) return false;
      unreplied += numbers;
      return true;
    },

    /** Notes that the ledger has what was admitted, or will get it through the queue. */
    confirm(uses: readonly Use[]): void {
      for (const { meter, amount } of uses) {
        const limit = limits.get(meter);
        if (limit !== undefined) limit.unconfirmed -= amount;
      }
    },

    /** Notes that the ledger doesn't respond: nothing is plenty until it does. What is used up stays so. */
    distrust(): void {
      isReachable = false;
    },

    /** Notes the ledger's reply to a part: what is used now of each of its limits, by meter. */
    learn({ entries }: Pick<Part, "entries">, used: Readonly<Record<string, number>>): void {
      const uses = entries.flatMap((entry) => entry.uses);
      for (const use of uses) {
        const limit = limitOf(use);
        // Replies can overtake each other, and usage never decreases.
        const atLeast = isRecent(limit) ? limit.used : 0;
        Object.assign(limit, { used: Math.max(atLeast, used[use.meter]!), at: now() });
      }
      isReachable = true;
      // Once a limit is used up, a late reply must not renew what is admitted without knowing.
      if (uses.length > 0 && uses.every(({ meter, most }) => used[meter]! < most)) unreplied = 0;
    },
  };
}

export type KnownLimits = ReturnType<typeof createKnownLimits>;
