import type { Use } from "./part.ts";

/** How long the ledger's reply is used, in milliseconds, … */
const KNOWN_MS = 10_000;
/** … and which share of what was left then may be admitted without asking again. */
const ADMITTED_SHARE = 1 / 20;

interface KnownLimit {
  /** As the ledger last reported, and when, in milliseconds since the Unix epoch. */
  used: number;
  at: number;
  /** Admitted here, and not confirmed by the ledger. */
  unconfirmed: number;
  /** Whether more may be admitted without asking: not if the ledger has failed since. */
  isTrusted: boolean;
}

/** What an isolate knows of an account's limits, and what it has admitted on that. */
export function createKnownLimits(now: () => number) {
  const limits = new Map<string, KnownLimit>();

  function recentOf({ meter }: Use): KnownLimit | undefined {
    const limit = limits.get(meter);
    return limit !== undefined && now() - limit.at < KNOWN_MS ? limit : undefined;
  }

  return {
    /** The limit that is known to be used up. */
    usedUp(uses: readonly Use[]): { readonly use: Use; readonly used: number } | undefined {
      return uses
        .map((use) => ({ use, used: recentOf(use)?.used ?? -1 }))
        .find(({ use: { most }, used }) => used >= most);
    },

    /** Admits numbers if every limit is known to have plenty left. @returns whether it did */
    admit(uses: readonly Use[]): boolean {
      const hasPlenty = uses.every((use) => {
        const limit = recentOf(use);
        if (limit === undefined || !limit.isTrusted || limit.used >= use.most) return false;
        return limit.unconfirmed + use.amount <= ADMITTED_SHARE * (use.most - limit.used);
      });
      if (hasPlenty) for (const use of uses) recentOf(use)!.unconfirmed += use.amount;
      return hasPlenty;
    },

    /** Notes that the ledger has what was admitted, or will get it through the queue. */
    confirm(uses: readonly Use[]): void {
      for (const { meter, amount } of uses) {
        const limit = limits.get(meter);
        if (limit !== undefined) limit.unconfirmed -= amount;
      }
    },

    /** Makes the next calls ask, because the ledger doesn't respond. What is used up stays so. */
    distrust(): void {
      for (const limit of limits.values()) limit.isTrusted = false;
    },

    /** Notes the ledger's reply. */
    learn(used: Readonly<Record<string, number>>): void {
      for (const [meter, limit] of limits) {
        if (limit.unconfirmed === 0 && now() - limit.at >= KNOWN_MS) limits.delete(meter);
      }
      for (const [meter, amount] of Object.entries(used)) {
        const limit = limits.get(meter) ?? { used: 0, at: 0, unconfirmed: 0, isTrusted: true };
        // Replies can overtake each other, and usage never decreases.
        limits.set(meter, Object.assign(limit, { used: Math.max(limit.used, amount), at: now(), isTrusted: true }));
      }
    },
  };
}

export type KnownLimits = ReturnType<typeof createKnownLimits>;
