import { failureText, logLine } from "../platform/log.ts";
import { DAY_MS, HOUR_MS } from "../platform/time.ts";
import type { LedgerAccount, AccountStore, LedgerHost } from "./account.ts";
import { dropOldActivity, recentActivity } from "./activity.ts";
import { dropOldLimits, dueQuotaNotice, quotaPurpose } from "./limits.ts";
import type { Count } from "./part.ts";
import { dropOldRepeats } from "./repeats.ts";
import { daysToMonths, monthTotals } from "./usage.ts";

/** How long a deleted account is remembered, so a late message doesn't recreate its ledger. */
const TOMBSTONE_MS = 30 * DAY_MS;
const RETRY_MS = 600_000;

/** Operators hear of a month soon after its first use, and when it has grown by a tenth, but not more often than hourly. */
const FIRST_REPORT_MS = 300_000;
const GROWTH_PERCENT = 10;

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

/** When D1 is due to hear of the newest month; 0 if it knows enough. */
function dueReport({ month: { numbers, reported, reportedAt } }: LedgerAccount, now: number): number {
  if (numbers === 0 || (reported > 0 && 100 * (numbers - reported) < GROWTH_PERCENT * reported)) return 0;
  return reported === 0 ? now + FIRST_REPORT_MS : Math.max(now, reportedAt + HOUR_MS);
}

/** The platform has one alarm for both. */
function setAlarm({ storage }: Pick<LedgerHost, "storage">, { alarm, reportAt }: LedgerAccount): Promise<void> {
  return storage.setAlarm(reportAt === 0 ? alarm : Math.min(alarm, reportAt));
}

/** Sets the alarms: once per day, at a random minute, and for a report. Overdue means that the platform gave up on it. */
export function scheduleAlarm(host: LedgerHost, account: LedgerAccount): void {
  const { now, random } = host;
  const isSet = (at: number) => at > now() - HOUR_MS;
  const reportAt = isSet(account.reportAt) ? account.reportAt : dueReport(account, now());
  if (isSet(account.alarm) && reportAt === account.reportAt) return;
  account.reportAt = reportAt;
  if (!isSet(account.alarm)) account.alarm = now() - (now() % DAY_MS) + DAY_MS + Math.floor(random() * DAY_MS);
  void setAlarm(host, account);
}

/** Adds numbers to the newest month. Late ones of an earlier month wait for the daily alarm. */
export function addToMonth(account: LedgerAccount, counts: readonly Count[]): void {
  for (const { day, successful, failed } of counts) {
    const name = day.slice(0, 7);
    if (name < account.month.name) continue;
    if (name > account.month.name) account.month = { name, numbers: 0, reported: 0, reportedAt: 0 };
    account.month.numbers += successful + failed;
  }
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

  /** Notes which months D1 has. @param before the account as it was when they were written */
  function noteReport(
    account: LedgerAccount,
    { unreported, month }: Pick<LedgerAccount, "unreported" | "month">,
  ): void {
    for (const [name, parts] of Object.entries(unreported)) {
      // Otherwise, a part came while they were written.
      if (account.unreported[name] === parts) delete account.unreported[name];
    }
    if (account.month.name !== month.name) return;
    account.month = { ...account.month, reported: month.numbers, reportedAt: now() };
    account.reportAt = 0;
  }

  /** Forgets what is old. */
  function tidy(account: LedgerAccount): void {
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

    /** Everything due: writes monthly totals to D1, repeats what failed, and daily forgets what is old. */
    async alarm(): Promise<void> {
      const { erased, alarm, unreported, month } = read();
      if (erased > 0) return await endTombstone(erased);
      const before = { unreported: { ...unreported }, month: { ...month } };
      const isDaily = now() >= alarm;
      try {
        if (!(await report(Object.keys(unreported)))) return await erase();
        await Promise.all([announce(), notify()]);
      } catch (error) {
        logLine("warn", "ledger_alarm_failed", { message: failureText(error) });
        change((account) => void (account[isDaily ? "alarm" : "reportAt"] = now() + RETRY_MS));
        return await setAlarm(host, read());
      }
      change((account) => {
        noteReport(account, before);
        if (isDaily) tidy(account);
        else void setAlarm(host, account);
      });
    },
  };
}

export type Upkeep = ReturnType<typeof createUpkeep>;
