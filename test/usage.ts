import { eq } from "drizzle-orm";
import { users } from "../schema.ts";
import type { LedgerNamespace } from "../worker/ledger/namespace.ts";
import type { Count, Part, Use } from "../worker/ledger/part.ts";
import type { Database } from "../worker/platform/db.ts";

let made = 0;

/** Numbers verified with key_1 today, in Brazil by default. */
export function countOf(successful: number, failed = 0, changes: Partial<Count> = {}): Count {
  const day = new Date().toISOString().slice(0, 10);
  const root = changes.key ?? "key_1";
  return { startedAt: 1, key: root, root, mode: "live", day, country: "BR", successful, failed, ...changes };
}

/** A part of an account with one entry, from a separate isolate by default. */
export function partOf(
  user: string,
  counts: readonly Count[],
  { uses = [], ...changes }: Partial<Part> & { readonly uses?: readonly Use[] } = {},
): Part {
  const at = changes.at ?? Date.now();
  const isolate = `${(at - 1_000).toString(36)}.seed${++made}`;
  const entries = counts.length === 0 ? [] : [{ counts: [...counts], uses: [...uses] }];
  return { user, isolate, seq: 1, at, entries, activity: [], limited: [], ...changes };
}

/** Noon UTC on the second day of a new year, so that earlier days span two years. */
export const NOON = Date.UTC(2026, 0, 2, 12);

/** An account's usage. By default today's live successes in Brazil. */
export interface Used {
  readonly day?: string;
  readonly country?: string;
  readonly mode?: "test" | "live";
  readonly keyId?: string;
  /** Of the subscription. */
  readonly startedAt?: number;
  readonly success?: number;
  readonly failure?: number;
}

/** Makes the account's ledger count usage, and updates D1 immediately. */
export async function addUsage(
  { db, ledgers }: { readonly db?: Database; readonly ledgers: LedgerNamespace },
  user: string,
  used: readonly Used[],
  { at = Date.now(), uses = [] }: { readonly at?: number; readonly uses?: readonly Use[] } = {},
): Promise<void> {
  const counts = used.map((each): Count => {
    const { country = "BR", mode = "live", keyId: key = "key_1", startedAt = 1 } = each;
    const { day = new Date(at).toISOString().slice(0, 10), success: successful = 0, failure: failed = 0 } = each;
    return { startedAt, key, root: key, mode, day, country, successful, failed };
  });
  await ledgers.getByName(user).record(partOf(user, counts, { at, uses }));
  await db?.update(users).set({ meteredAt: at }).where(eq(users.id, user));
}
