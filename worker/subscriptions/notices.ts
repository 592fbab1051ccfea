import type { Queue } from "@cloudflare/workers-types";
import { and, asc, eq, gt, gte, inArray, isNull, lt, lte, ne, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { LIMITED_PLANS, PLAN_QUOTA } from "../../contract/limits.ts";
import type { Subscription } from "../../contract/subscriptions.ts";
import { subscriptions, usageDaily, users } from "../../schema.ts";
import type { Database } from "../platform/db.ts";
import type { MailMessage, NoticePurpose } from "../mail/messages.ts";
import type { EndingTrial, QuotaUse } from "../mail/templates.ts";
import { DAY_MS } from "../platform/time.ts";

/** How long before its end the owner of a trial is told of it, in milliseconds. */
export const EXPIRY_NOTICE_MS = 3 * DAY_MS;

const ACCOUNTS_PER_PAGE = 500;

/** A page is marked as a whole, so this is also how many mails a crash can repeat. */
const TRIALS_PER_PAGE = 50;

/** How long a notice under way holds back others of its kind. Longer than sending and marking take, shorter than any retry. */
const UNDERWAY_MS = 10_000;

/** What sends notices. */
export interface NoticeSender {
  readonly db: Database;
  readonly mail: Pick<Queue<MailMessage>, "send">;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

interface Notice {
  readonly userId: string;
  readonly purpose: NoticePurpose;
  /** The time that the notice is bound to: the start of what the quota counts, or the end of the trial. */
  readonly period: number;
}

// Mails are queued first and marked afterwards: a crash between repeats a mail, where marking first would lose it. That alone would
// let calls at the same time all send, so those of an isolate share this, and the mail consumer drops repeats within a batch.

/** Until when notices that this isolate is sending, or has just sent, hold back others. Bounded, since a killed call never ends. */
const underway = new Map<string, number>();

function keyOf({ userId, purpose, period }: Notice): string {
  return `${userId} ${purpose} ${period}`;
}

/** Queues the mails of those notices that are not under way, each by itself. Never rejects. */
async function queueMails(
  { mail, now }: NoticeSender,
  notices: readonly Notice[],
): Promise<{ readonly queued: Notice[]; readonly failures: unknown[] }> {
  for (const [key, until] of underway) if (until <= now) underway.delete(key);
  const fresh = notices.filter((notice) => !underway.has(keyOf(notice)));
  for (const notice of fresh) underway.set(keyOf(notice), now + UNDERWAY_MS);
  const queued: Notice[] = [];
  const failures: unknown[] = [];
  await Promise.all(
    fresh.map(async (notice) => {
      try {
        await mail.send({ user_id: notice.userId, purpose: notice.purpose }, { contentType: "json" });
        queued.push(notice);
      } catch (error) {
        underway.delete(keyOf(notice));
        failures.push(error);
      }
    }),
  );
  return { queued, failures };
}

/** A condition for the rows of these notices, in one parameter however many they are, as long as their period is still the same. */
function stillAt(
  period: typeof subscriptions.startedAt | typeof subscriptions.expiresAt,
  notices: readonly Notice[],
): SQL {
  const pairs = JSON.stringify(notices.map((notice) => [notice.userId, notice.period]));
  return sql`(${subscriptions.userId}, ${period}) in (select value ->> 0, value ->> 1 from json_each(${pairs}))`;
}

function throwIfAny(failures: readonly unknown[]): void {
  if (failures.length === 0) return;
  throw new Error(`Notices that could not be queued: ${failures.length}`, { cause: failures[0] });
}

/** Subscriptions that are active, of accounts that are not suspended. */
function inForce(now: number) {
  return and(
    eq(subscriptions.status, "active"),
    or(isNull(subscriptions.expiresAt), gt(subscriptions.expiresAt, now)),
    isNull(users.suspendedAt),
  );
}

/** Which notice is due, in per cent of a quota: 100, 80 or 0 for none. The higher one stands for both. */
export function dueQuotaNotice(used: number, limit: number): 0 | 80 | 100 {
  if (used >= limit) return 100;
  // In whole numbers: 0.8 has no exact binary form.
  return 100 * used >= 80 * limit ? 80 : 0;
}

/** A page of accounts with a quota whose last notice is not told yet, in the order of their ids, with what they have used. */
async function quotaPage(db: Database, now: number, which: SQL) {
  // As `liveSuccessesSince` counts it, for many accounts at once.
  const charged = and(
    eq(usageDaily.userId, subscriptions.userId),
    eq(usageDaily.mode, "live"),
    eq(usageDaily.outcome, "success"),
    gte(usageDaily.day, sql`date(${subscriptions.startedAt} / 1000, 'unixepoch')`),
  );
  return db
    .select({
      userId: subscriptions.userId,
      plan: subscriptions.plan,
      startedAt: subscriptions.startedAt,
      told: subscriptions.quotaNotice,
      used: sql<number>`coalesce(sum(${usageDaily.count}), 0)`,
    })
    .from(subscriptions)
    .innerJoin(users, eq(users.id, subscriptions.userId))
    .leftJoin(usageDaily, charged)
    .where(and(inForce(now), inArray(subscriptions.plan, LIMITED_PLANS), lt(subscriptions.quotaNotice, 100), which))
    .groupBy(subscriptions.userId)
    .orderBy(asc(subscriptions.userId))
    .limit(ACCOUNTS_PER_PAGE);
}

type QuotaPage = Awaited<ReturnType<typeof quotaPage>>;

/** Queues and marks what is due in a page; returns how many mails that made. */
async function tellQuotas(sender: NoticeSender, page: QuotaPage): Promise<number> {
  const due = { 80: [] as Notice[], 100: [] as Notice[] };
  for (const { userId, plan, startedAt, told, used } of page) {
    const percent = dueQuotaNotice(used, PLAN_QUOTA[plan] ?? Infinity);
    if (percent > told && percent !== 0) due[percent].push({ userId, purpose: `quota_${percent}`, period: startedAt });
  }
  let count = 0;
  const failed: unknown[] = [];
  for (const percent of [80, 100] as const) {
    if (due[percent].length === 0) continue;
    const { queued, failures } = await queueMails(sender, due[percent]);
    count += queued.length;
    failed.push(...failures);
    if (queued.length === 0) continue;
    await sender.db
      .update(subscriptions)
      .set({ quotaNotice: percent })
      .where(and(lt(subscriptions.quotaNotice, percent), stillAt(subscriptions.startedAt, queued)));
  }
  throwIfAny(failed);
  return count;
}

/**
 * Mails the owners of these accounts, whose live usage has just changed, when 80 or 100 per cent of their quota are used; once each,
 * and only the latter when both are passed at once. At least once: what fails is due again in the next call.
 * @returns how many mails were queued
 * @throws when a mail could not be queued, after all others were, or whatever D1 throws. Calling again is safe.
 */
export async function sendQuotaNotices(input: NoticeSender & { readonly userIds: Iterable<string> }): Promise<number> {
  const ids = [...new Set(input.userIds)];
  let count = 0;
  for (let start = 0; start < ids.length; start += ACCOUNTS_PER_PAGE) {
    const some = JSON.stringify(ids.slice(start, start + ACCOUNTS_PER_PAGE));
    const which = sql`${subscriptions.userId} in (select value from json_each(${some}))`;
    count += await tellQuotas(input, await quotaPage(input.db, input.now, which));
  }
  return count;
}

/**
 * The same for all accounts. At the limit usage stops changing, so a last notice that failed would wait forever for the next change:
 * this is for a schedule.
 * @returns how many mails were queued
 * @throws like `sendQuotaNotices`, after the page that fails; the rest is due in the next call.
 */
export async function sendMissedQuotaNotices(input: NoticeSender): Promise<number> {
  let count = 0;
  for (let last: string | undefined = ""; last !== undefined;) {
    const page: QuotaPage = await quotaPage(input.db, input.now, gt(subscriptions.userId, last));
    count += await tellQuotas(input, page);
    last = page.length === ACCOUNTS_PER_PAGE ? page.at(-1)?.userId : undefined;
  }
  return count;
}

/**
 * Mails the owners of trials that end within the next three days, once for each end, so that an extended trial is told of again. At
 * least once, for a schedule; the soonest go first.
 * @returns how many mails were queued
 * @throws when a mail could not be queued, after the others of its page were, or whatever D1 throws; the rest is due in the next call.
 */
export async function sendExpiryNotices(input: NoticeSender): Promise<number> {
  const { db, now } = input;
  const { userId, expiresAt, expiryNoticeFor, plan } = subscriptions;
  let count = 0;
  let after: { readonly period: number; readonly userId: string } | undefined = { period: now, userId: "" };
  while (after !== undefined) {
    const page: { userId: string; period: number }[] = await db
      .select({ userId, period: sql<number>`${expiresAt}` })
      .from(subscriptions)
      .innerJoin(users, eq(users.id, userId))
      .where(
        and(
          inForce(now),
          eq(plan, "trial"),
          lte(expiresAt, now + EXPIRY_NOTICE_MS),
          or(isNull(expiryNoticeFor), ne(expiryNoticeFor, expiresAt)),
          sql`(${expiresAt}, ${userId}) > (${after.period}, ${after.userId})`,
        ),
      )
      .orderBy(asc(expiresAt), asc(userId))
      .limit(TRIALS_PER_PAGE);
    const { queued, failures } = await queueMails(
      input,
      page.map((row) => ({ ...row, purpose: "trial_ending" })),
    );
    count += queued.length;
    if (queued.length > 0) {
      // The end as it was told: one that has moved since stays unmarked.
      await db
        .update(subscriptions)
        .set({ expiryNoticeFor: sql`${expiresAt}` })
        .where(stillAt(expiresAt, queued));
    }
    throwIfAny(failures);
    after = page.length === TRIALS_PER_PAGE ? page.at(-1) : undefined;
  }
  return count;
}

/** What a mail about the quota says now; null when it is no longer true, or the other one is due instead. */
export function quotaToTell(subscription: Subscription, purpose: "quota_80" | "quota_100"): QuotaUse | null {
  const { status, started_at: startedAt, quota } = subscription;
  if (status !== "active" || startedAt === null || quota.limit === null) return null;
  if (purpose !== `quota_${dueQuotaNotice(quota.used, quota.limit)}`) return null;
  return { used: quota.used, limit: quota.limit, since: Date.parse(startedAt) };
}

/** What a mail about the end of a trial says now; null when the trial is over, or was extended beyond the time of the notice. */
export function trialToTell(subscription: Subscription, now: number): EndingTrial | null {
  const { status, plan, expires_at: expiresAt, quota } = subscription;
  if (status !== "active" || plan !== "trial" || expiresAt === null || quota.limit === null) return null;
  const endsAt = Date.parse(expiresAt);
  return endsAt > now + EXPIRY_NOTICE_MS ? null : { endsAt, used: quota.used, limit: quota.limit };
}
