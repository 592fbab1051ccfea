import { eq } from "drizzle-orm";
import { subscriptions } from "../schema.ts";
import type { Database } from "../worker/platform/db.ts";
import type { MailMessage } from "../worker/mail/email.ts";
import type { Bindings } from "../worker/env.ts";
import { quotaUse } from "../worker/ledger/part.ts";
import { addUsage } from "./usage.ts";
import type { Used } from "./usage.ts";

/** An email queue that stores messages, and rejects on request. */
export function recordingQueue() {
  const sent: MailMessage[] = [];
  const queue = {
    sent,
    rejects(message: MailMessage): boolean {
      return message.user_id === null;
    },
    async send(message: MailMessage) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (queue.rejects(message)) throw new Error("Queue send failed: Too Many Requests");
      sent.push(message);
      return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
    },
    purposes: () => sent.map(({ purpose }) => purpose),
    accounts: () => sent.map(({ user_id: userId }) => userId),
  };
  return queue;
}

/**
 * Sets an account's total quota usage, including other usage that is not charged.
 * @param options.limit the quota whose owner is emailed; without one, no one is
 * @param options.day today by default
 */
export async function setUsage(
  { db, env }: { readonly db: Database; readonly env: Pick<Bindings, "LEDGER"> },
  userId: string,
  count: number,
  { limit, day }: { readonly limit?: number; readonly day?: string } = {},
): Promise<void> {
  const { startedAt } = (await subscriptionOf(db, userId))!;
  const ledgers = env.LEDGER;
  const more = count - (await ledgers.getByName(userId).quotaUsed(startedAt));
  const used: Used[] = [
    { success: more - 1, startedAt },
    { country: "GB", success: 1, failure: 5_000, startedAt },
    { mode: "test", success: 5_000, startedAt },
    { success: 5_000, startedAt: startedAt - 1 },
  ];
  const uses = limit === undefined ? [] : [quotaUse(startedAt, more, limit)];
  const on = day === undefined ? {} : { day };
  await addUsage(
    { db, ledgers },
    userId,
    used.map((each) => ({ ...each, ...on })),
    { uses },
  );
}

/** Changes an account's subscription. */
export async function changeSubscription(
  db: Database,
  userId: string,
  values: Partial<typeof subscriptions.$inferInsert>,
): Promise<void> {
  await db.update(subscriptions).set(values).where(eq(subscriptions.userId, userId));
}

/** The row of an account's subscription. */
export async function subscriptionOf(db: Database, userId: string) {
  return db.select().from(subscriptions).where(eq(subscriptions.userId, userId)).get();
}
