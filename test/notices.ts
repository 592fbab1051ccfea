import { eq } from "drizzle-orm";
import { subscriptions, usageDaily } from "../schema.ts";
import type { Database } from "../worker/platform/db.ts";
import type { MailMessage } from "../worker/mail/messages.ts";
import { DAY_MS, utcDay } from "../worker/platform/time.ts";

/** A mail queue that keeps what it is sent, and refuses while told so. */
export function recordingQueue() {
  const sent: MailMessage[] = [];
  const queue = {
    sent,
    refuses(message: MailMessage): boolean {
      return message.user_id === null;
    },
    async send(message: MailMessage) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (queue.refuses(message)) throw new Error("Queue send failed: Too Many Requests");
      sent.push(message);
      return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
    },
    purposes: () => sent.map(({ purpose }) => purpose),
    accounts: () => sent.map(({ user_id: userId }) => userId),
  };
  return queue;
}

/** Sets how many successful live verifications an account made today, beside others that a quota is not charged with. */
export async function setUsage(db: Database, userId: string, count: number): Promise<void> {
  const used = { userId, mode: "live", day: utcDay(Date.now()), countryCode: "BR", outcome: "success" } as const;
  const british = Math.min(count, 5);
  const rows = [
    { ...used, count: count - british },
    { ...used, countryCode: "GB", count: british },
    { ...used, mode: "test" as const, count: 5_000 },
    { ...used, outcome: "failure" as const, count: 5_000 },
    // The subscriptions of the factory began 20 days ago.
    { ...used, day: utcDay(Date.now() - 21 * DAY_MS), count: 5_000 },
  ];
  await db.batch([db.delete(usageDaily).where(eq(usageDaily.userId, userId)), db.insert(usageDaily).values(rows)]);
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
