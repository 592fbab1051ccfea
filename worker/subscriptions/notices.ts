import type { Queue } from "@cloudflare/workers-types";
import { and, asc, eq, gt, isNull, lte, ne, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Subscription } from "../../contract/subscriptions.ts";
import { subscriptions, users } from "../../schema.ts";
import type { Database } from "../platform/db.ts";
import type { MailMessage, NoticePurpose } from "../mail/messages.ts";
import type { EndingTrial, QuotaUse } from "../mail/templates.ts";
import { DAY_MS } from "../platform/time.ts";
import { dueQuotaNotice } from "./quota.ts";

/** How long before a trial ends its owner is notified, in milliseconds. */
export const EXPIRY_NOTICE_MS = 3 * DAY_MS;

/** A page is marked as a whole, so this is also how many emails a crash can repeat. */
const TRIALS_PER_PAGE = 50;

/** The dependencies for sending notices. */
export interface NoticeSender {
  readonly db: Database;
  readonly mail: Pick<Queue<MailMessage>, "send">;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

interface Notice {
  readonly userId: string;
  readonly purpose: NoticePurpose;
  /** The time the notice is tied to: the start of the quota period, or the end of the trial. */
  readonly period: number;
}

/**
 * Queues the email for each notice. Marking comes afterward: a crash in between repeats an email, where marking first
 * would lose it. Never rejects.
 */
async function queueMails({ mail }: NoticeSender, notices: readonly Notice[]) {
  const queued: Notice[] = [];
  const failures: unknown[] = [];
  await Promise.all(
    notices.map(async (notice) => {
      try {
        await mail.send({ user_id: notice.userId, purpose: notice.purpose }, { contentType: "json" });
        queued.push(notice);
      } catch (error) {
        failures.push(error);
      }
    }),
  );
  return { queued, failures };
}

/** A condition for the rows of these notices whose period has not changed, in a single parameter. */
function stillAt(
  period: typeof subscriptions.startedAt | typeof subscriptions.expiresAt,
  notices: readonly Notice[],
): SQL {
  const pairs = JSON.stringify(notices.map((notice) => [notice.userId, notice.period]));
  return sql`(${subscriptions.userId}, ${period}) in (select value ->> 0, value ->> 1 from json_each(${pairs}))`;
}

function throwIfAny(failures: readonly unknown[]): void {
  if (failures.length === 0) return;
  throw new Error(`Notices not queued: ${failures.length}`, { cause: failures[0] });
}

/** Active subscriptions of accounts that are not suspended. */
function inForce(now: number) {
  return and(
    eq(subscriptions.status, "active"),
    or(isNull(subscriptions.expiresAt), gt(subscriptions.expiresAt, now)),
    isNull(users.suspendedAt),
  );
}

/**
 * Emails owners of trials that end within the next three days, once per end date, so an extended trial is announced
 * again. Delivers at least once, for a schedule; the soonest go first.
 * @returns how many emails were queued
 * @throws when an email could not be queued, after the rest of its page was, or whatever D1 throws; the rest is due in
 * the next call.
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
      // The end date in the email: if it has moved since, the row stays unmarked.
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

/** The current content of a quota email; null when it no longer applies, or the other one is due instead. */
export function quotaToTell(subscription: Subscription, purpose: "quota_80" | "quota_100"): QuotaUse | null {
  const { status, started_at: startedAt, quota } = subscription;
  if (status !== "active" || startedAt === null || quota.limit === null) return null;
  if (purpose !== `quota_${dueQuotaNotice(quota.used, quota.limit)}`) return null;
  return { used: quota.used, limit: quota.limit, since: Date.parse(startedAt) };
}

/**
 * The current content of an email about the end of a trial; null when the trial is over, or was extended beyond the
 * notice period.
 */
export function trialToTell(subscription: Subscription, now: number): EndingTrial | null {
  const { status, plan, expires_at: expiresAt, quota } = subscription;
  if (status !== "active" || plan !== "trial" || expiresAt === null || quota.limit === null) return null;
  const endsAt = Date.parse(expiresAt);
  return endsAt > now + EXPIRY_NOTICE_MS ? null : { endsAt, used: quota.used, limit: quota.limit };
}
