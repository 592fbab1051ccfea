import type { KeyMode } from "../../contract/limits.ts";
import { failureText, logLine } from "../platform/log.ts";
import { DAY_MS, HOUR_MS } from "../platform/time.ts";
import { addActivity, readActivity, recentActivity } from "./activity.ts";
import type { ActivityFilter, ActivityPage } from "./activity.ts";
import { capMeter, numbersIn, quotaMeter } from "./part.ts";
import type { Part, Use } from "./part.ts";
import { addCounts, addToRanges, addUses, dueQuotaNotice, emptyState, quotaPurpose } from "./state.ts";
import type { State } from "./state.ts";
import { ACCEPTED_MS, BY_COUNTRY, BY_DAY, BY_DAY_AND_KEY, BY_KEY, createStore } from "./store.ts";
import type { CountryTotal, DayTotal, KeyDayTotal, KeyTotal, LedgerHost, Period } from "./store.ts";

/** How long a deleted account is remembered, so a late message doesn't recreate its ledger. */
const TOMBSTONE_MS = 30 * DAY_MS;
const RETRY_MS = 600_000;
/** Isolates send a part per window: long enough for 20 calls a second here, in milliseconds, … */
const CALLS_PER_SECOND = 20;
const LONGEST_WINDOW_MS = 10_000;
/** … and short for an account with a limit, whose isolates must know what is left. */
const SHORTEST_WINDOW_MS = 2_000;
/** An isolate that sent nothing in this time no longer counts. */
const ACTIVE_MS = 2 * LONGEST_WINDOW_MS;

/** Operators see a ledger's size from one percent of its capacity. */
const REPORTED_FROM_BYTES = 100e6;

/** Monthly totals in D1 are absolute values, so writing them twice is harmless. */
const REPORT = `
  INSERT INTO usage_months (user_id, month, live_successful, live_failed, test_successful, test_failed)
  SELECT users.id, month.value ->> 'month', month.value ->> 'liveSuccessful', month.value ->> 'liveFailed',
    month.value ->> 'testSuccessful', month.value ->> 'testFailed'
  FROM users JOIN json_each(?2) AS month WHERE users.id = ?1
  ON CONFLICT (user_id, month) DO UPDATE SET live_successful = excluded.live_successful,
    live_failed = excluded.live_failed, test_successful = excluded.test_successful, test_failed = excluded.test_failed`;

/** A key with a monthly cap, which its chain shares. */
export interface CappedKey {
  readonly id: string;
  /** The first key of its chain. */
  readonly root: string;
}

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

/**
 * One account's ledger: its usage, counting each part and each call once, and what is used of its limits. Every change
 * is one transaction, which nearly always writes one row.
 */
export function createLedger(host: LedgerHost) {
  const store = createStore(host);
  const { current, change, knowsPart, seenOf, knowsCall, remember, roll, totals, usedByChain } = store;
  /** When each isolate last sent a part, and any of them one with a limit. */
  const isolates = new Map<string, number>();
  let limitedAt = -Infinity;
  let notifying = false;

  /** Usage of a meter. That of a cap used for the first time is what its chain has verified that month. */
  function usedOf(meter: string): number {
    const used = current().meters[meter];
    const [kind, root, month] = meter.split(" ");
    return used ?? (kind === "cap" ? usedByChain(root!, month!) : 0);
  }

  /** The first limit that has no room for a part. Calls counted before need none. */
  function exceededBy({ entries }: Part): Use | undefined {
    return entries
      .filter(({ call }) => call === undefined || !knowsCall(call))
      .flatMap(({ uses }) => uses)
      .find(({ meter, amount, most }) => usedOf(meter) >= most || usedOf(meter) + amount > most);
  }

  function apply(own: State, part: Part): void {
    own.user = part.user;
    addToRanges(seenOf(part.isolate), part.seq);
    for (const { call, counts, uses } of part.entries) {
      const isRepeated = call !== undefined && knowsCall(call);
      if (call !== undefined) remember(call);
      if (isRepeated) continue;
      for (const { meter } of uses) own.meters[meter] = usedOf(meter);
      addCounts(own, counts, part.at);
      addUses(own, uses);
      for (const month of counts.map(({ day }) => day.slice(0, 7))) {
        if (!own.unreported.includes(month)) own.unreported.push(month);
      }
    }
    addActivity(host, own, part);
  }

  function nextWindow({ isolate, entries }: Part): number {
    const now = host.now();
    isolates.set(isolate, now);
    for (const [other, at] of isolates) if (at < now - ACTIVE_MS) isolates.delete(other);
    if (entries.some(({ uses }) => uses.length > 0)) limitedAt = now;
    if (now - limitedAt < ACTIVE_MS) return SHORTEST_WINDOW_MS;
    const needed = Math.round((isolates.size / CALLS_PER_SECOND) * 1000);
    return Math.min(Math.max(needed, SHORTEST_WINDOW_MS), LONGEST_WINDOW_MS);
  }

  /** Once per day, at a random minute. Overdue means the platform gave up on the alarm. */
  function arm(own: State): void {
    const now = host.now();
    if (own.alarm > now - HOUR_MS) return;
    own.alarm = now - (now % DAY_MS) + DAY_MS + Math.floor(host.random() * DAY_MS);
    host.setAlarm(own.alarm);
  }

  /** Tells D1, once, that there is a ledger to read. */
  async function announce(): Promise<void> {
    if (current().announced) return;
    const query = "UPDATE users SET metered_at = ?1 WHERE id = ?2 AND metered_at IS NULL";
    await host.d1(query, host.now(), current().user);
    change((own) => (own.announced = true));
  }

  /**
   * Emails the owner that 80% or 100% of the quota is used. Recorded after the email is queued: a crash repeats it but
   * never loses it.
   */
  async function notify(): Promise<void> {
    const { quota, meters, user } = current();
    if (quota === null || notifying) return;
    const due = dueQuotaNotice(meters[quotaMeter(quota.startedAt)] ?? 0, quota.most);
    if (due === 0 || due <= quota.notified) return;
    notifying = true;
    try {
      await host.mail({ user_id: user, purpose: quotaPurpose(due) });
      change((own) => {
        if (own.quota?.startedAt === quota.startedAt) own.quota.notified = due;
      });
    } finally {
      notifying = false;
    }
  }

  /** Side effects of a change. The next change or the alarm retries a failure. */
  async function follow(): Promise<void> {
    const outcomes = await Promise.allSettled([announce(), notify()]);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") {
        logLine("warn", "ledger_not_followed", { message: failureText(outcome.reason) });
      }
    }
  }

  function sumOf(month: string, mode: KeyMode) {
    const sum = { successful: 0, failed: 0 };
    for (const { total, successful } of totals<DayTotal>(BY_DAY, { mode, first: month, last: `${month}~` })) {
      sum.successful += successful;
      sum.failed += total - successful;
    }
    return sum;
  }

  async function report(months: readonly string[]): Promise<"written" | "gone"> {
    const { user } = current();
    const [known] = await host.d1("SELECT metered_at, ledger_bytes FROM users WHERE id = ?1", user);
    if (known === undefined) return "gone";
    // D1 was restored to a time before it knew of this ledger.
    if (known["metered_at"] === null) change((own) => (own.announced = false));
    const size = host.size() >= REPORTED_FROM_BYTES ? host.size() : null;
    if (size !== (known["ledger_bytes"] ?? null))
      await host.d1("UPDATE users SET ledger_bytes = ?2 WHERE id = ?1", user, size);
    const rows = months.map((month) => {
      const live = sumOf(month, "live");
      const test = sumOf(month, "test");
      return {
        month,
        liveSuccessful: live.successful,
        liveFailed: live.failed,
        testSuccessful: test.successful,
        testFailed: test.failed,
      };
    });
    if (rows.length > 0) await host.d1(REPORT, user, JSON.stringify(rows));
    return "written";
  }

  async function erase(): Promise<void> {
    const erased = host.now();
    change((own) => (own.erased = erased));
    await host.deleteAll();
    const alarm = erased + TOMBSTONE_MS;
    store.begin({ ...emptyState(), erased, alarm });
    host.setAlarm(alarm);
  }

  return {
    /**
     * Counts a part once, however often it arrives.
     * @param options.enforce refuse it as a whole if it doesn't fit a limit. Without it, its calls have gotten their
     * responses, and it is counted whatever is left.
     */
    record(part: Part, { enforce = false }: { readonly enforce?: boolean } = {}): Recorded {
      const uses = part.entries.flatMap((entry) => entry.uses);
      const reply = (refusedBy: string | null, lost = 0): Recorded => ({
        refusedBy,
        used: Object.fromEntries(uses.map((use) => [use.meter, usedOf(use.meter)])),
        windowMs: nextWindow(part),
        lost,
      });
      if (current().erased > 0) return reply(null);
      if (part.at < host.now() - ACCEPTED_MS) return reply(null, numbersIn(part));
      if (!knowsPart(part)) {
        const exceeded = enforce ? exceededBy(part) : undefined;
        if (exceeded !== undefined) return reply(exceeded.meter);
        change((own) => {
          roll(own);
          apply(own, part);
          arm(own);
        });
      }
      host.waitUntil(follow());
      return reply(null);
    },

    /** A period's usage by day and by country. Days and countries without usage are omitted. */
    usage(period: Period) {
      return {
        days: totals<DayTotal>(BY_DAY, period),
        countries: totals<CountryTotal>(BY_COUNTRY, period),
        keys: totals<KeyTotal>(BY_KEY, period),
      };
    },

    /** A period's usage by day and key. */
    keyDays: (period: Period) => totals<KeyDayTotal>(BY_DAY_AND_KEY, period),

    rowsAfter: store.rowsAfter,

    /** Usage by country in each period, and by key in the first. */
    summary(periods: readonly [Period, ...Period[]]) {
      return {
        countries: periods.map((period) => totals<CountryTotal>(BY_COUNTRY, period)),
        keys: totals<KeyTotal>(BY_KEY, periods[0]),
      };
    },

    /** Recent calls, newest first. */
    activity(filter: ActivityFilter): ActivityPage {
      return readActivity(host, current(), filter);
    },

    /** Successful live verifications of the subscription that started at this time. */
    quotaUsed(startedAt: number): number {
      return current().meters[quotaMeter(startedAt)] ?? 0;
    },

    /** When each key was last used, in milliseconds since the Unix epoch, and what some used of their caps. */
    keys(month: string, capped: readonly CappedKey[]) {
      const used = Object.fromEntries(capped.map(({ id, root }) => [id, usedOf(capMeter(root, month))]));
      return { lastUsed: current().lastUsed, used };
    },

    /** Deletes everything, and stops counting for this account. */
    erase,

    /** Everything due: moves the day into the table, writes monthly totals to D1, and resends what failed. */
    async alarm(): Promise<void> {
      const now = host.now();
      if (current().erased > 0) {
        if (now < current().erased + TOMBSTONE_MS) return host.setAlarm(current().erased + TOMBSTONE_MS);
        await host.deleteAll();
        store.forget();
        return;
      }
      const months = change((own) => {
        own.alarm = 0;
        roll(own);
        own.reporting = [...new Set([...own.reporting, ...own.unreported.splice(0)])];
        return [...own.reporting];
      });
      try {
        if ((await report(months)) === "gone") return await erase();
        await Promise.all([announce(), notify()]);
      } catch (error) {
        logLine("warn", "ledger_alarm_failed", { message: failureText(error) });
        change((own) => {
          own.alarm = now + RETRY_MS;
          host.setAlarm(own.alarm);
        });
        return;
      }
      const { counts, spilledUntil, calls } = current();
      const isIdle =
        Object.keys(counts).length + Object.keys(calls).length + recentActivity(current()).length === 0 &&
        spilledUntil < now / HOUR_MS &&
        host.sql("SELECT 1 FROM seen UNION ALL SELECT 1 FROM activity LIMIT 1").length === 0;
      // Without another alarm they stay, and are rewritten with the next one: the totals are absolute.
      if (isIdle) return;
      change((own) => {
        own.reporting = [];
        arm(own);
      });
    },
  };
}

export type Ledger = ReturnType<typeof createLedger>;
