import { and, eq, gte, sql } from "drizzle-orm";
import { planTerms } from "../../contract/plans.ts";
import type { Quota, Subscription, SubscriptionStatus } from "../../contract/subscriptions.ts";
import { subscriptions, usageMonths, users } from "../../schema.ts";
import { findAccount } from "../accounts/accounts.ts";
import type { KeyRecord } from "../key-cache/record.ts";
import { readLedger } from "../ledger/reports.ts";
import type { UsageSource } from "../ledger/reports.ts";
import type { Database } from "../platform/db.ts";
import { ApiError } from "../platform/errors.ts";
import { isoOrNull, utcDay } from "../platform/time.ts";

type SubscriptionRow = typeof subscriptions.$inferSelect;

/**
 * Whether a subscription is active now. Expiry is decided on read, so a trial ends without a job.
 * @throws ApiError 503 for a status that only a later version of the worker knows
 */
export function isActive(
  subscription: { readonly status: string; readonly expiresAt: number | null } | null,
  now: number,
): boolean {
  if (subscription === null || subscription.status === "ended") return false;
  if (subscription.status !== "active") throw new ApiError("TEMPORARILY_UNAVAILABLE");
  return subscription.expiresAt === null || now < subscription.expiresAt;
}

/** The account's subscription as stored, or null. */
export async function findSubscription(db: Database, userId: string): Promise<SubscriptionRow | null> {
  return (await db.select().from(subscriptions).where(eq(subscriptions.userId, userId)).get()) ?? null;
}

function statusOf(row: SubscriptionRow, now: number): SubscriptionStatus {
  if (isActive(row, now)) return "active";
  return row.status === "ended" ? "ended" : "expired";
}

/**
 * For operators: the successful live verifications since a time, in whole months, that the ledger had sent to D1 by
 * last night.
 */
async function reportedSince(db: Database, userId: string, startedAt: number): Promise<number> {
  const { liveSuccessful, month } = usageMonths;
  const since = and(eq(usageMonths.userId, userId), gte(month, utcDay(startedAt).slice(0, 7)));
  const [sum] = await db
    .select({ used: sql<number>`coalesce(sum(${liveSuccessful}), 0)` })
    .from(usageMonths)
    .where(since);
  return sum!.used;
}

/**
 * The account's subscription as returned to its owner, with usage since it started.
 * @throws ApiError 503 when the account's ledger does not respond
 */
export async function readSubscription(source: UsageSource, userId: string): Promise<Subscription> {
  const { db, now } = source;
  const found = await db
    .select({ subscription: subscriptions, meteredAt: users.meteredAt })
    .from(subscriptions)
    .innerJoin(users, eq(users.id, subscriptions.userId))
    .where(eq(subscriptions.userId, userId))
    .get();
  if (found === undefined) {
    return {
      status: "none",
      plan: null,
      started_at: null,
      expires_at: null,
      trial_available: true,
      quota: { limit: 0, used: 0, remaining: 0 },
    };
  }
  const { subscription: row, meteredAt } = found;
  const limit = planTerms(row.plan)?.quota ?? null;
  // A subscription that just began has no usage, whatever the state of the ledger.
  const account = { id: userId, meteredAt: row.startedAt === now ? null : meteredAt };
  const used =
    source.ledgers === null
      ? await reportedSince(db, userId, row.startedAt)
      : ((await readLedger(source, account, (ledger) => ledger.quotaUsed(row.startedAt))) ?? 0);
  return {
    status: statusOf(row, now),
    plan: row.plan,
    started_at: isoOrNull(row.startedAt),
    expires_at: isoOrNull(row.expiresAt),
    trial_available: false,
    quota: { limit, used, remaining: limit === null ? null : Math.max(0, limit - used) },
  };
}

/** What is left of an account's quota and of the calling key's cap. @throws ApiError 503 as `readSubscription` */
export async function readQuota(source: UsageSource, userId: string, key: KeyRecord | null): Promise<Quota> {
  const { status, plan, quota } = await readSubscription(source, userId);
  return {
    plan,
    limit: quota.limit,
    used: quota.used,
    remaining: status === "active" ? quota.remaining : 0,
    resets_at: null,
    key_cap: key === null || key.cap === null ? null : await readCap(source, key, key.cap),
  };
}

async function readCap(source: UsageSource, { root, userId }: KeyRecord, most: number) {
  const today = new Date(source.now);
  const month = utcDay(source.now).slice(0, 7);
  const account = await findAccount(source.db, userId);
  const metered = { id: userId, meteredAt: account?.meteredAt ?? null };
  const read = await readLedger(source, metered, (ledger) => ledger.keys(month, [root]));
  const used = read?.used[root] ?? 0;
  return {
    limit: most,
    used,
    remaining: Math.max(0, most - used),
    resets_at: new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1)).toISOString(),
  };
}
