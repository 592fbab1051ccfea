import { SANDBOX_ERRORS } from "../../contract/errors.ts";
import { KEY_MODES } from "../../contract/limits.ts";
import type { KeyMode } from "../../contract/limits.ts";
import type { LedgerNamespace } from "../../worker/ledger/namespace.ts";
import { utcDay } from "../../worker/platform/time.ts";
import type { Answer } from "./answers.ts";

/** Totals by "account mode day outcome". */
export type Totals = Readonly<Record<string, number>>;

/** How many answers of one call count, by outcome. */
export interface Counted {
  readonly success: number;
  readonly failure: number;
}

const NOTHING: Counted = { success: 0, failure: 0 };

function isSuccess(result: unknown, mode: KeyMode): boolean {
  const { valid, code } = result as { valid?: boolean; code?: string };
  return mode === "live" ? valid === true : code === undefined;
}

/** What an answer to a verify or batch call counts as, from what the caller sees alone. */
export function countedIn({ status, code, body }: Answer, mode: KeyMode): Counted {
  if (code !== null && Object.hasOwn(SANDBOX_ERRORS, code)) return { success: 0, failure: 1 };
  if (status !== 200) return NOTHING;
  const { results = [body] } = body as { results?: readonly unknown[] };
  const success = results.filter((result) => isSuccess(result, mode)).length;
  return { success, failure: results.length - success };
}

/** What the callers of a run were answered and what should therefore be counted. */
export class Ledger {
  readonly #totals = new Map<string, number>();
  readonly #repeated = new Set<string>();
  /** Answers that came twice under one Idempotency-Key and count once. */
  repeats = 0;

  /** Notes an answer to an account's key. `call` names the calls that are one: those of one Idempotency-Key. */
  note(answer: Answer, about: { readonly userId: string; readonly mode: KeyMode; readonly call?: string }): void {
    const { userId, mode, call } = about;
    const counted = countedIn(answer, mode);
    if (counted.success + counted.failure === 0) return;
    if (call !== undefined) {
      if (this.#repeated.has(call)) {
        this.repeats += 1;
        return;
      }
      this.#repeated.add(call);
    }
    for (const outcome of ["success", "failure"] as const) {
      if (counted[outcome] === 0) continue;
      const place = `${userId} ${mode} ${utcDay(Date.now())} ${outcome}`;
      this.#totals.set(place, (this.#totals.get(place) ?? 0) + counted[outcome]);
    }
  }

  totals(): Totals {
    return Object.fromEntries(this.#totals);
  }
}

/** What the ledgers of these accounts have counted since a UTC day ("YYYY-MM-DD"), that day included. */
export async function countedTotals(
  ledgers: LedgerNamespace,
  userIds: readonly string[],
  since: string,
): Promise<Totals> {
  const entries = userIds.flatMap((userId) =>
    KEY_MODES.map(async (mode) => {
      const { days } = await ledgers.getByName(userId).usage({ mode, first: since, last: "~" });
      return days.flatMap(({ date, total, successful }): [string, number][] => [
        [`${userId} ${mode} ${date} success`, successful],
        [`${userId} ${mode} ${date} failure`, total - successful],
      ]);
    }),
  );
  return Object.fromEntries((await Promise.all(entries)).flat().filter(([, count]) => count > 0));
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

/** The same totals without days, for a run over midnight: a caller cannot tell on which side an answer was made. */
export function withoutDays(totals: Totals): Totals {
  const sums: Record<string, number> = {};
  for (const [place, count] of Object.entries(totals)) {
    const [userId, mode, , outcome] = place.split(" ");
    const rest = `${userId} ${mode} ${outcome}`;
    sums[rest] = (sums[rest] ?? 0) + count;
  }
  return sums;
}
