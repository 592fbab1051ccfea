import { DurableObject } from "cloudflare:workers";
import { openAccount } from "./account.ts";
import type { AccountStore, LedgerHost, Range } from "./account.ts";
import { addActivity, digestOf, readActivity } from "./activity.ts";
import type { ActivityFilter } from "./activity.ts";
import { addUses, exceededBy, usedOf, usedOfCaps } from "./limits.ts";
import { numbersIn } from "./part.ts";
import type { Part } from "./part.ts";
import { ACCEPTED_MS, addIds, addRanges, newIn, rangesWith } from "./repeats.ts";
import { addToMonth, createUpkeep, scheduleAlarm } from "./upkeep.ts";
import type { Upkeep } from "./upkeep.ts";
import { addCounts, byCountry, byDay, byDayAndKey, byKey, lastUses, rowsAfter } from "./usage.ts";
import type { CountedRow, Period } from "./usage.ts";

/** Isolates send a part per window: long enough for 20 calls a second here, in milliseconds, … */
const CALLS_PER_SECOND = 20;
const LONGEST_WINDOW_MS = 10_000;
/** … and short for an account with a limit, whose isolates must know what is left. */
const SHORTEST_WINDOW_MS = 2_000;
/** An isolate that sent nothing in this time no longer counts, and no limit that nothing used in it. */
const ACTIVE_MS = 2 * LONGEST_WINDOW_MS;

const SYSTEM = { now: () => Date.now(), random: () => Math.random() };

/** The ledger's reply to a part. */
export interface Recorded {
  /** The meter of the limit that refuses it; null if it is counted. */
  readonly refusedBy: string | null;
  /** What is used now of each limit that the part uses, by meter. */
  readonly used: Readonly<Record<string, number>>;
  /** How long the isolate's next window for this account is, in milliseconds. */
  readonly windowMs: number;
  /** How many numbers came too late to be counted once, and are not counted. */
  readonly lost: number;
}

/** An account's ledger, a Durable Object named by the account's id. It counts each part and each call once. */
export class Ledger extends DurableObject<LedgerHost["env"]> {
  readonly #host: LedgerHost;
  readonly #account: AccountStore;
  readonly #upkeep: Upkeep;
  /** When a part last had a limit. */
  #limitedAt = -Infinity;

  constructor(
    ctx: DurableObjectState,
    env: LedgerHost["env"],
    { now, random }: Pick<LedgerHost, "now" | "random"> = SYSTEM,
  ) {
    super(ctx, env);
    this.#host = { storage: ctx.storage, sql: ctx.storage.sql, env, now, random };
    this.#account = openAccount(this.#host);
    this.#upkeep = createUpkeep(this.#host, this.#account);
  }

  /**
   * Counts a part once, however often it arrives.
   * @param options.enforce refuse it as a whole if it doesn't fit a limit. Without it, its calls have gotten their
   * responses, and it is counted whatever is left.
   */
  record(part: Part, { enforce = false }: { readonly enforce?: boolean } = {}): Recorded {
    const host = this.#host;
    const account = this.#account.read();
    if (account.erased > 0) return this.#reply(part, {});
    if (part.at < host.now() - ACCEPTED_MS) return this.#reply(part, { lost: numbersIn(part) });
    const ranges = rangesWith(host, account, part);
    if (ranges !== null) {
      const added = newIn(host, account, part);
      const exceeded = enforce ? exceededBy(host, account, added.entries) : undefined;
      if (exceeded !== undefined) return this.#reply(part, { refusedBy: exceeded.meter });
      this.#count(part, { ...added, ranges });
    }
    this.ctx.waitUntil(this.#upkeep.runSideEffects());
    return this.#reply(part, {});
  }

  #reply(part: Part, outcome: Partial<Recorded>): Recorded {
    const uses = part.entries.flatMap((entry) => entry.uses);
    const used = uses.map((use) => [use.meter, usedOf(this.#host, this.#account.read(), use)] as const);
    const windowMs = this.#nextWindow(uses.length > 0);
    return { refusedBy: null, lost: 0, ...outcome, used: Object.fromEntries(used), windowMs };
  }

  /** Counts what is new in a part, in one transaction. */
  #count(part: Part, { entries, ids, ranges }: ReturnType<typeof newIn> & { ranges: readonly Range[] }): void {
    const host = this.#host;
    const counts = entries.flatMap((entry) => entry.counts);
    this.#account.change((account) => {
      account.user = part.user;
      addRanges(host, account, part, ranges);
      addIds(host, account, ids);
      addUses(host, account, entries);
      addCounts(host, counts, part.at);
      addActivity(host, account, part);
      for (const month of new Set(counts.map(({ day }) => day.slice(0, 7)))) {
        account.unreported[month] = (account.unreported[month] ?? 0) + 1;
      }
      addToMonth(account, counts);
      scheduleAlarm(host, account);
    });
  }

  #nextWindow(isLimited: boolean): number {
    const now = this.#host.now();
    if (isLimited) this.#limitedAt = now;
    if (this.#limitedAt > now - ACTIVE_MS) return SHORTEST_WINDOW_MS;
    const active = Object.values(this.#account.read().isolates).filter(({ at }) => at > now - ACTIVE_MS);
    const needed = Math.round((active.length / CALLS_PER_SECOND) * 1000);
    return Math.min(Math.max(needed, SHORTEST_WINDOW_MS), LONGEST_WINDOW_MS);
  }

  /** For reports, which read other tables than the account's: an ended tombstone has dropped all. */
  get #withTables(): LedgerHost {
    this.#account.read();
    return this.#host;
  }

  /** A period's usage by day, country, and key. Those without usage are omitted. */
  usage(period: Period) {
    const host = this.#withTables;
    return { days: byDay(host, period), countries: byCountry(host, period), keys: byKey(host, period) };
  }

  /** All of a mode's usage by country and key, its days since the first, and its sampled calls; both modes by default. */
  summary({ mode, first }: Pick<Period, "mode" | "first">) {
    const host = this.#withTables;
    const [all, recent] = ["", first].map((start) => ({ mode, first: start, last: "~" })) as [Period, Period];
    return {
      countries: byCountry(host, all),
      keys: byKey(host, all),
      days: byDay(host, recent),
      calls: digestOf(host, this.#account.read(), mode),
    };
  }

  /** A period's usage by day and key. */
  keyDays(period: Period) {
    return byDayAndKey(this.#withTables, period);
  }

  /** Counts after a row, oldest first; null starts at the first. At most 5,000 rows, none at the end. */
  rowsAfter(row: CountedRow | null) {
    return rowsAfter(this.#withTables, row);
  }

  /** Recent calls, newest first. */
  activity(filter: ActivityFilter) {
    return readActivity(this.#host, this.#account.read(), filter);
  }

  /** Successful live verifications of the subscription that started at this time. */
  quotaUsed(startedAt: number): number {
    return this.#account.read().quotas[startedAt] ?? 0;
  }

  /** When each key was last used, in milliseconds since the Unix epoch, and what some chains used of their caps, by root. */
  keys(month: string, roots: readonly string[]) {
    const account = this.#account.read();
    return { lastUsed: lastUses(this.#host), used: usedOfCaps(this.#host, account, roots, month) };
  }

  /** Deletes everything, and stops counting for this account. */
  erase() {
    return this.#upkeep.erase();
  }

  override alarm() {
    return this.#upkeep.alarm();
  }
}
