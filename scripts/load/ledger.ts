import { and, gte, inArray, sql } from "drizzle-orm";
import { SANDBOX_ERRORS } from "../../contract/errors.ts";
import type { KeyMode } from "../../contract/limits.ts";
import { usageDaily } from "../../schema.ts";
import type { Database } from "../../worker/platform/db.ts";
import type { Reply } from "./report.ts";

/** Whose usage a call is. Calls with the same `call` are one: those of one Idempotency-Key. */
export interface Usage {
  readonly userId: string;
  readonly mode: KeyMode;
  readonly call?: string;
}

/** Numbers verified, by "account mode outcome". */
export type Totals = Readonly<Record<string, number>>;

/** What a response to a verify or batch call counts as, from what the caller sees alone. */
export function countedIn({ status, code, body }: Reply, mode: KeyMode): { success: number; failure: number } {
  if (code !== null && Object.hasOwn(SANDBOX_ERRORS, code)) return { success: 0, failure: 1 };
  if (status !== 200) return { success: 0, failure: 0 };
  const { results = [body] } = body as { results?: readonly unknown[] };
  const success = results.filter((result) => {
    const { valid, code: failed } = result as { valid?: boolean; code?: string };
    return mode === "live" ? valid === true : failed === undefined;
  }).length;
  return { success, failure: results.length - success };
}

/** Adds up the responses of a run: what should therefore be counted. */
export class Ledger {
  readonly #totals = new Map<string, number>();
  readonly #calls = new Set<string>();
  /** Responses that came again under one Idempotency-Key and count once. */
  repeats = 0;

  note(reply: Reply, { userId, mode, call }: Usage): void {
    const { success, failure } = countedIn(reply, mode);
    if (success + failure === 0) return;
    if (call !== undefined && this.#calls.has(call)) {
      this.repeats += 1;
      return;
    }
    if (call !== undefined) this.#calls.add(call);
    for (const [outcome, count] of Object.entries({ success, failure })) {
      const place = `${userId} ${mode} ${outcome}`;
      if (count > 0) this.#totals.set(place, (this.#totals.get(place) ?? 0) + count);
    }
  }

  totals(): Totals {
    return Object.fromEntries(this.#totals);
  }
}

/** What the product has counted for these accounts since a UTC day ("YYYY-MM-DD"), that day included. */
export async function countedTotals(db: Database, userIds: readonly string[], since: string): Promise<Totals> {
  const { userId, mode, day, outcome } = usageDaily;
  const rows = await db
    .select({ userId, mode, outcome, count: sql<number>`sum(${usageDaily.count})` })
    .from(usageDaily)
    .where(and(inArray(userId, sql`(select value from json_each(${JSON.stringify(userIds)}))`), gte(day, since)))
    .groupBy(userId, mode, outcome);
  return Object.fromEntries(rows.map((row) => [`${row.userId} ${row.mode} ${row.outcome}`, row.count]));
}

export function sumOf(totals: Totals): number {
  return Object.values(totals).reduce((sum, count) => sum + count, 0);
}

/** Where two totals are not the same. */
export function differences(answered: Totals, counted: Totals): string[] {
  const places = [...new Set([...Object.keys(answered), ...Object.keys(counted)])].toSorted();
  return places
    .filter((place) => (answered[place] ?? 0) !== (counted[place] ?? 0))
    .map((place) => `${place}: ${answered[place] ?? 0} answered, ${counted[place] ?? 0} counted`);
}
