import type { Queue } from "@cloudflare/workers-types";
import { and, asc, eq, gt, isNull, lte, ne, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { subscriptions, users } from "../../schema.ts";
import type { Database } from "../platform/db.ts";
import type { MailMessage } from "../mail/email.ts";
import { EXPIRY_NOTICE_MS, trialEndingEmail } from "./emails/trial-ending.ts";

/** A page is marked as a whole, so this is also how many emails a crash can repeat. */
const TRIALS_PER_PAGE = 50;

/** The dependencies for sending notices. */
export interface NoticeSender {
  readonly db: Database;
  readonly mail: Pick<Queue<MailMessage>, "send">;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** A trial whose owner is due a notice, and when it ends, in milliseconds since the Unix epoch. */
interface EndingTrial {
  readonly userId: string;
  readonly expiresAt: number;
}

/**
 * Queues the email for each trial. Marking comes afterward: a crash in between repeats an email, where marking first
 * would lose it. Never rejects.
 */
async function queueEmails({ mail }: NoticeSender, trials: readonly EndingTrial[]) {
  const queued: EndingTrial[] = [];
  const failures: unknown[] = [];
  await Promise.all(
    trials.map(async (trial) => {
      try {
        await mail.send({ user_id: trial.userId, purpose: trialEndingEmail.purpose }, { contentType: "json" });
        queued.push(trial);
      } catch (error) {
        failures.push(error);
      }
    }),
  );
  return { queued, failures };
}

/** A condition for these trials' rows whose end has not moved, in a single parameter. */
function stillEnding(trials: readonly EndingTrial[]): SQL {
  return sql`(${subscriptions.userId}, ${subscriptions.expiresAt})
    in (select value ->> 'userId', value ->> 'expiresAt' from json_each(${JSON.stringify(trials)}))`;
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
  let after: EndingTrial | undefined = { expiresAt: now, userId: "" };
  while (after !== undefined) {
    const page: EndingTrial[] = await db
      .select({ userId, expiresAt: sql<number>`${expiresAt}` })
      .from(subscriptions)
      .innerJoin(users, eq(users.id, userId))
      .where(
        and(
          inForce(now),
          eq(plan, "trial"),
          lte(expiresAt, now + EXPIRY_NOTICE_MS),
          or(isNull(expiryNoticeFor), ne(expiryNoticeFor, expiresAt)),
          sql`(${expiresAt}, ${userId}) > (${after.expiresAt}, ${after.userId})`,
        ),
      )
      .orderBy(asc(expiresAt), asc(userId))
      .limit(TRIALS_PER_PAGE);
    const { queued, failures } = await queueEmails(input, page);
    count += queued.length;
    if (queued.length > 0) {
      await db
        .update(subscriptions)
        .set({ expiryNoticeFor: sql`${expiresAt}` })
        .where(stillEnding(queued));
    }
    throwIfAny(failures);
    after = page.length === TRIALS_PER_PAGE ? page.at(-1) : undefined;
  }
  return count;
}
