import { SANDBOX_ERRORS } from "../../contract/errors.ts";
import type { KeyMode } from "../../contract/limits.ts";
import { KEY_MODES } from "../../contract/limits.ts";
import type { LedgerNamespace } from "../../worker/ledger/namespace.ts";
import type { Reply } from "./report.ts";

/** The owner of a call's usage. Calls with the same `call` count as one: those with the same Idempotency-Key. */
export interface Usage {
  readonly userId: string;
  readonly mode: KeyMode;
  readonly call?: string;
}

/** Numbers verified, by "account mode outcome". */
export type Totals = Readonly<Record<string, number>>;

/** What a response to a verify or batch call should count as, from the caller's view. */
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

/** Adds up the responses of a run: what the service should have counted. */
export class Ledger {
  readonly #totals = new Map<string, number>();
  readonly #calls = new Set<string>();
  /** Responses repeated under one Idempotency-Key, which count once. */
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

/** What these accounts' ledgers have counted since a UTC day ("YYYY-MM-DD"), inclusive. */
export async function countedTotals(
  ledgers: LedgerNamespace,
  userIds: readonly string[],
  since: string,
): Promise<Totals> {
  const entries = userIds.flatMap((userId) =>
    KEY_MODES.map(async (mode) => {
      const { days } = await ledgers.getByName(userId).usage({ mode, first: since, last: "~" });
      const sum = (of: (day: (typeof days)[number]) => number) => days.reduce((all, day) => all + of(day), 0);
      return [
        [`${userId} ${mode} success`, sum(({ successful }) => successful)],
        [`${userId} ${mode} failure`, sum(({ total, successful }) => total - successful)],
      ] as [string, number][];
    }),
  );
  return Object.fromEntries((await Promise.all(entries)).flat().filter(([, count]) => count > 0));
}

export function sumOf(totals: Totals): number {
  return Object.values(totals).reduce((sum, count) => sum + count, 0);
}

/** Where two totals differ. */
export function differences(answered: Totals, counted: Totals): string[] {
  const places = [...new Set([...Object.keys(answered), ...Object.keys(counted)])].toSorted();
  return places
    .filter((place) => (answered[place] ?? 0) !== (counted[place] ?? 0))
    .map((place) => `${place}: ${answered[place] ?? 0} answered, ${counted[place] ?? 0} counted`);
}
