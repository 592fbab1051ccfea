import { dueQuotaNotice } from "../subscriptions/quota.ts";
import { failureText, logLine } from "../platform/log.ts";
import { DAY_MS, HOUR_MS } from "../platform/time.ts";
import { addActivity, readActivity, recentActivity } from "./activity.ts";
import type { ActivityFilter, ActivityPage } from "./activity.ts";
import { capMeter, numbersIn, quotaMeter } from "./part.ts";
import type { Limit, Part } from "./part.ts";
import { addCounts, addLimits, addToRanges, emptyState, leasedToOthers } from "./state.ts";
import type { State } from "./state.ts";
import { ACCEPTED_MS, BY_COUNTRY, BY_DAY, BY_DAY_AND_KEY, BY_KEY, createStore } from "./store.ts";
import type { CountryTotal, DayTotal, KeyDayTotal, KeyTotal, LedgerHost, Period } from "./store.ts";

/** How long a deleted account is remembered, so a late message doesn't recreate its ledger. */
const TOMBSTONE_MS = 30 * DAY_MS;
const RETRY_MS = 600_000;
/** The share of what is left that one isolate may use without waiting, and that all may use together, … */
const LEASED_SHARE = 0.02;
const LEASED_IN_ALL = 0.1;
/** … for this long; until reported back, it stays set aside longer. */
const LEASE_MS = 10_000;
const LEASE_MARGIN_MS = 5_000;
/** How long an isolate may act on an earlier reply. */
const IN_FLIGHT_MS = 1_000;

/** Operators see a ledger's size from one percent of its capacity. */
const TOLD_FROM_BYTES = 100e6;

/** Monthly totals in D1 are absolute values, so writing them twice is harmless. */
const REPORT = `
  INSERT INTO usage_months (user_id, month, live_successful, live_failed, test_successful, test_failed)
  SELECT users.id, e.value ->> 0, e.value ->> 1, e.value ->> 2, e.value ->> 3, e.value ->> 4
  FROM users JOIN json_each(?2) AS e WHERE users.id = ?1
  ON CONFLICT (user_id, month) DO UPDATE SET live_successful = excluded.live_successful,
    live_failed = excluded.live_failed, test_successful = excluded.test_successful, test_failed = excluded.test_failed`;

/** A call's request to charge its limits. */
export interface Charge {
  readonly part: Part;
  /** For each limit, how many numbers its isolate is charging or may charge without waiting. */
  readonly holding: readonly number[];
  /** Whether the call was admitted on a lease. */
  readonly leased: boolean;
}

/** The result of a charge. */
export interface Charged {
  /** `held` while the rest is leased to other isolates. */
  readonly outcome: "charged" | "rejected" | "held";
  /** Current usage of each limit. */
  readonly used: readonly number[];
  /** Index of the limit that rejects it; -1 for none. */
  readonly over: number;
  /**
   * How many numbers of each limit the isolate may charge next without waiting, and for how many milliseconds since its
   * request.
   */
  readonly leases: readonly number[];
  readonly leaseMs: number;
}

/**
 * One account's ledger: its usage, counting each part and each call once, and what is left of its limits. Every change
 * is one transaction, which nearly always writes one row.
 */
export function createLedger(host: LedgerHost) {
  const store = createStore(host);
  const { current, change, knowsPart, seenOf, knowsCall, remember, roll, totals } = store;
  let notifying = false;

  /** Usage of a cap, including what its key used in the month before it was set. */
  function usedOfCap(root: string, key: string, month: string): number {
    const { meters, caps } = current();
    const before = [...new Set([key, root])].filter((each) => caps[each] === undefined);
    const days = before.flatMap((each) => {
      const period = { mode: "live", key: each, first: month, last: `${month}~` } as const;
      return totals<DayTotal>(BY_DAY, period);
    });
    return days.reduce((sum, day) => sum + day.successful, meters[capMeter(root, month)] ?? 0);
  }

  /** Records which keys have a cap. */
  function noteCaps({ limits = [], counts, calls }: Part): void {
    const own = current();
    for (const { meter } of limits) {
      const [kind, root, month] = meter.split(" ");
      if (kind !== "cap") continue;
      const [count] = [...counts, ...calls.flatMap((call) => call.counts)];
      const key = count![1];
      own.meters[meter] = usedOfCap(root!, key, month!);
      own.caps[key] = own.caps[root!] = root!;
    }
  }

  /** Counts a part. Returns whether it was new. */
  function apply(part: Part): boolean {
    const own = current();
    own.user = part.user;
    if (!addToRanges(seenOf(part.isolate), part.seq)) return false;
    const counts = [...part.counts];
    let isRepeated = false;
    for (const call of part.calls) {
      if (knowsCall(call)) isRepeated = true;
      else counts.push(...call.counts);
      remember(call);
    }
    noteCaps(part);
    addCounts(own, counts, part.at);
    if (part.limits !== undefined && !isRepeated) addLimits(own, part.limits);
    addActivity(host, own, part);
    for (const [, , , day] of counts) {
      const month = day.slice(0, 7);
      if (!own.unreported.includes(month)) own.unreported.push(month);
    }
    return true;
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
    if (due === 0 || due <= quota.told) return;
    notifying = true;
    try {
      await host.mail({ user_id: user, purpose: `quota_${due}` });
      change((own) => {
        if (own.quota?.startedAt === quota.startedAt) own.quota.told = due;
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

  /**
   * What an isolate may use next without waiting. Its share also includes what it still holds and what it was just
   * granted, which it may not have known when it asked.
   */
  function leaseOf(own: State, { meter, amount: used, most }: Limit, isolate: string, holding: number): number {
    const now = host.now();
    const until = now + LEASE_MS + LEASE_MARGIN_MS;
    const leases = (own.leases[meter] ??= {});
    for (const [other, { until: end }] of Object.entries(leases)) if (end <= now) delete leases[other];
    const before = leases[isolate];
    const isolates = Object.keys(leases).length + (before === undefined ? 1 : 0);
    const share = Math.min(LEASED_SHARE, LEASED_IN_ALL / isolates);
    const room = Math.max(0, Math.floor(share * (most - (own.meters[meter] ?? 0))));
    // A batch that wouldn't fit has no use for a lease.
    const amount = used <= room ? room : 0;
    const recent = before !== undefined && before.until > until - IN_FLIGHT_MS ? before.amount : 0;
    const reserved = Math.max(amount, holding, recent);
    if (reserved > 0) leases[isolate] = { amount: reserved, until };
    else delete leases[isolate];
    return amount;
  }

  async function report(months: readonly string[]): Promise<"written" | "gone"> {
    const { user } = current();
    const [known] = await host.d1("SELECT metered_at, ledger_bytes FROM users WHERE id = ?1", user);
    if (known === undefined) return "gone";
    // D1 was restored to a time before it knew of this ledger.
    if (known["metered_at"] === null) change((own) => (own.announced = false));
    const size = host.size() >= TOLD_FROM_BYTES ? host.size() : null;
    if (size !== (known["ledger_bytes"] ?? null))
      await host.d1("UPDATE users SET ledger_bytes = ?2 WHERE id = ?1", user, size);
    const rows = months.map((month) => {
      const sums = (["live", "test"] as const).flatMap((mode) => {
        const days = totals<DayTotal>(BY_DAY, { mode, first: month, last: `${month}~` });
        const sum = (of: (day: DayTotal) => number) => days.reduce((all, day) => all + of(day), 0);
        return [sum((day) => day.successful), sum((day) => day.total - day.successful)];
      });
      return [month, ...sums];
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
     * Counts parts, each once.
     * @returns how many numbers were rejected as too late to deduplicate
     */
    async record(parts: readonly Part[]): Promise<number> {
      if (current().erased > 0) return 0;
      const [timely, late]: [Part[], Part[]] = [[], []];
      for (const part of parts) (part.at < host.now() - ACCEPTED_MS ? late : timely).push(part);
      if (timely.some((part) => !knowsPart(part))) {
        change((own) => {
          roll(own);
          for (const part of timely) apply(part);
          arm(own);
        });
      }
      host.waitUntil(follow());
      return late.reduce((sum, part) => sum + numbersIn(part), 0);
    },

    /** Counts a part whose call has limits, unless it would exceed one. A known part or call is not charged again. */
    charge({ part, holding, leased }: Charge): Charged {
      const own = current();
      const limits = part.limits ?? [];
      const usedOf = ({ meter }: Limit) => own.meters[meter] ?? 0;
      const leftOf = (limit: Limit) => Math.max(0, limit.most - usedOf(limit));
      const reply = (outcome: Charged["outcome"], changes: Partial<Charged> = {}): Charged => ({
        outcome,
        used: limits.map(usedOf),
        over: -1,
        leases: limits.map(() => 0),
        leaseMs: LEASE_MS,
        ...changes,
      });
      if (own.erased > 0 || knowsPart(part)) return reply("charged");
      noteCaps(part);
      if (!part.calls.some(knowsCall)) {
        const now = host.now();
        const over = limits.findIndex((limit) => leftOf(limit) === 0 || leftOf(limit) < limit.amount);
        if (over >= 0) return reply("rejected", { over });
        const isHeld = limits.some(
          (limit, at) =>
            leftOf(limit) < limit.amount + holding[at]! + leasedToOthers(own, limit.meter, part.isolate, now),
        );
        if (isHeld && !leased) return reply("held");
      }
      const leases = change((changed) => {
        roll(changed);
        apply(part);
        arm(changed);
        return limits.map((limit, at) => leaseOf(changed, limit, part.isolate, holding[at]!));
      });
      host.waitUntil(follow());
      return reply("charged", { leases });
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

    /**
     * When each key was last used, in milliseconds since the Unix epoch, and the usage of some caps.
     * @param capped the key that a cap is counted under, and the capped key
     */
    keys(month: string, capped: readonly (readonly [root: string, key: string])[]) {
      return { lastUsed: current().lastUsed, used: capped.map(([root, key]) => usedOfCap(root, key, month)) };
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
