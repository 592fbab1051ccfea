import { failureText, logLine } from "../platform/log.ts";
import { DAY_MS, HOUR_MS } from "../platform/time.ts";
import type { LedgerAccount, AccountStore, LedgerHost } from "./account.ts";
import { dropOldActivity, recentActivity } from "./activity.ts";
import { dropOldLimits, dueQuotaNotice, quotaPurpose } from "./limits.ts";
import { dropOldRepeats } from "./repeats.ts";
import { daysToMonths, monthTotals } from "./usage.ts";

/** How long a deleted account is remembered, so a late message doesn't recreate its ledger. */
const TOMBSTONE_MS = 30 * DAY_MS;
const RETRY_MS = 600_000;

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

/** Sets the alarm: once per day, at a random minute. Overdue means that the platform gave up on it. */
export function scheduleAlarm({ now, random, storage }: LedgerHost, account: LedgerAccount): void {
  if (account.alarm > now() - HOUR_MS) return;
  account.alarm = now() - (now() % DAY_MS) + DAY_MS + Math.floor(random() * DAY_MS);
  void storage.setAlarm(account.alarm);
}

/** What a ledger does besides counting: it informs D1 and the owner, and forgets what is old. */
export function createUpkeep(host: LedgerHost, { read, change, forget }: AccountStore) {
  const { env, storage, sql, now } = host;
  let mailing = false;

  /** Tells D1, once, that there is a ledger to read. */
  async function announce(): Promise<void> {
    if (read().announced) return;
    const query = "UPDATE users SET metered_at = ?1 WHERE id = ?2 AND metered_at IS NULL";
    await env.DB.prepare(query).bind(now(), read().user).run();
    change((account) => void (account.announced = true));
  }

  /**
   * Emails the owner that 80% or 100% of the quota is used. Recorded after the email is queued: a crash repeats it but
   * never loses it.
   */
  async function notify(): Promise<void> {
    const { quota, quotas, user } = read();
    if (quota === null || mailing) return;
    const due = dueQuotaNotice(quotas[quota.startedAt] ?? 0, quota.most);
    if (due === 0 || due <= quota.notified) return;
    mailing = true;
    try {
      await env.MAIL.send({ user_id: user, purpose: quotaPurpose(due) }, { contentType: "json" });
      change((account) => {
        if (account.quota?.startedAt === quota.startedAt) account.quota.notified = due;
      });
    } finally {
      mailing = false;
    }
  }

  /** Writes monthly totals and the size to D1. @returns whether the account still exists */
  async function report(months: readonly string[]): Promise<boolean> {
    const { user } = read();
    const query = "SELECT metered_at, ledger_bytes FROM users WHERE id = ?1";
    const known = await env.DB.prepare(query).bind(user).first();
    if (known === null) return false;
    // D1 was restored to a time before it knew of this ledger.
    if (known["metered_at"] === null) change((account) => void (account.announced = false));
    const size = sql.databaseSize >= REPORTED_FROM_BYTES ? sql.databaseSize : null;
    if (size !== (known["ledger_bytes"] ?? null)) {
      await env.DB.prepare("UPDATE users SET ledger_bytes = ?2 WHERE id = ?1").bind(user, size).run();
    }
    const totals = months.map((month) => monthTotals(host, month));
    if (totals.length > 0) await env.DB.prepare(REPORT).bind(user, JSON.stringify(totals)).run();
    return true;
  }

  /** Deletes everything, and leaves a tombstone. */
  async function erase(): Promise<void> {
    const erased = now();
    change((account) => void (account.erased = erased));
    await storage.deleteAll();
    forget();
    change((account) => void (account.erased = erased));
    await storage.setAlarm(erased + TOMBSTONE_MS);
  }

  async function endTombstone(erased: number): Promise<void> {
    if (now() < erased + TOMBSTONE_MS) return await storage.setAlarm(erased + TOMBSTONE_MS);
    await storage.deleteAll();
    forget();
  }

  function isIdle(account: LedgerAccount): boolean {
    const query = "SELECT 1 FROM isolates UNION ALL SELECT 1 FROM activity LIMIT 1";
    const recent = Object.keys(account.isolates).length + recentActivity(account).length;
    return recent === 0 && sql.exec(query).toArray().length === 0;
  }

  /** Forgets what is old, and the months that D1 has. */
  function tidy(account: LedgerAccount, reported: LedgerAccount["unreported"]): void {
    for (const [month, parts] of Object.entries(reported)) {
      // Otherwise, a part came while they were written.
      if (account.unreported[month] === parts) delete account.unreported[month];
    }
    daysToMonths(host);
    dropOldRepeats(host, account);
    dropOldLimits(host, account);
    dropOldActivity(host, account);
    account.alarm = 0;
    if (!isIdle(account)) scheduleAlarm(host, account);
  }

  return {
    erase,

    /** Side effects of a part. The next part or the alarm repeats a failure. */
    async runSideEffects(): Promise<void> {
      for (const outcome of await Promise.allSettled([announce(), notify()])) {
        if (outcome.status === "fulfilled") continue;
        logLine("warn", "ledger_not_followed", { message: failureText(outcome.reason) });
      }
    },

    /** Everything due: writes monthly totals to D1, repeats what failed, and forgets what is old. */
    async alarm(): Promise<void> {
      const { erased, unreported } = read();
      if (erased > 0) return await endTombstone(erased);
      const reported = { ...unreported };
      try {
        if (!(await report(Object.keys(reported)))) return await erase();
        await Promise.all([announce(), notify()]);
      } catch (error) {
        logLine("warn", "ledger_alarm_failed", { message: failureText(error) });
        change((account) => void (account.alarm = now() + RETRY_MS));
        return await storage.setAlarm(read().alarm);
      }
      change((account) => tidy(account, reported));
    },
  };
}

export type Upkeep = ReturnType<typeof createUpkeep>;
