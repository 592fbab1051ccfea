import { count, desc, eq, sql } from "drizzle-orm";
import type { ListedKey } from "../../contract/keys.ts";
import type { KeyMode } from "../../contract/limits.ts";
import type { Subscription } from "../../contract/subscriptions.ts";
import { subscriptions, usageMonths, users } from "../../schema.ts";
import type { Io } from "../io.ts";
import { usageSummary } from "../ledger/reports.ts";
import { listApiKeys } from "../keys/api-keys.ts";
import { publishKeys } from "../key-cache/publish.ts";
import { touchActiveKeys } from "../keys/key-changes.ts";
import type { Database } from "../platform/db.ts";
import { AdministrationError } from "../platform/errors.ts";
import { isoOrNull } from "../platform/time.ts";
import { isActive, readSubscription } from "../subscriptions/subscription.ts";
import { findAccountByEmail } from "../accounts/accounts.ts";
import type { AccountRow } from "../accounts/accounts.ts";
import { recordEvent } from "../accounts/security-events.ts";

/** A key as shown to an operator, without usage, which only the ledger has. */
type ShownKey = Pick<ListedKey, "id" | "mode" | "name" | "hint" | "created_at">;

export interface AccountOverview {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** Times are ISO 8601, UTC. */
  readonly created_at: string;
  readonly verified_at: string | null;
  readonly suspended_at: string | null;
  readonly subscription: Subscription;
  /** Active keys. */
  readonly keys: Readonly<Record<KeyMode, readonly ShownKey[]>>;
  readonly usage: Readonly<Record<KeyMode, { readonly total: number; readonly successful: number }>>;
}

/**
 * Finds an account for an operator.
 * @param email compared in lowercase
 * @throws AdministrationError ACCOUNT_NOT_FOUND
 */
export async function accountToAdminister(db: Database, email: string): Promise<AccountRow> {
  const account = await findAccountByEmail(db, email.toLowerCase());
  if (account === null) throw new AdministrationError("ACCOUNT_NOT_FOUND", `There's no account with email ${email}.`);
  return account;
}

/** The newest accounts, newest first, and the total count. Times are ISO 8601, UTC. */
export async function listAccounts({ db, now }: Io, limit: number) {
  const [rows, [all]] = await Promise.all([
    db
      .select({ account: users, subscription: subscriptions })
      .from(users)
      .leftJoin(subscriptions, eq(subscriptions.userId, users.id))
      .orderBy(desc(users.createdAt), desc(users.id))
      .limit(limit),
    db.select({ count: count() }).from(users),
  ]);
  const accounts = rows.map(({ account, subscription }) => ({
    id: account.id,
    email: account.email,
    created_at: new Date(account.createdAt).toISOString(),
    is_verified: account.verifiedAt !== null,
    is_suspended: account.suspendedAt !== null,
    plan: subscription !== null && isActive(subscription, now) ? subscription.plan : null,
  }));
  return { accounts, total: all?.count ?? 0 };
}

/** What the account's ledger last wrote to D1: usage through last night. */
async function reportedUsage(db: Database, userId: string, mode: KeyMode) {
  const [successes, failures] =
    mode === "live"
      ? [usageMonths.liveSuccessful, usageMonths.liveFailed]
      : [usageMonths.testSuccessful, usageMonths.testFailed];
  const [sums] = await db
    .select({
      total: sql<number>`coalesce(sum(${successes} + ${failures}), 0)`,
      successful: sql<number>`coalesce(sum(${successes}), 0)`,
    })
    .from(usageMonths)
    .where(eq(usageMonths.userId, userId));
  return sums!;
}

function withoutUse({ id, mode, name, hint, created_at }: ListedKey): ShownKey {
  return { id, mode, name, hint, created_at };
}

/** Everything an operator needs to know about an account. Contains no hashes. */
export async function describeAccount(io: Io, account: AccountRow): Promise<AccountOverview> {
  const { id, email, name, createdAt, verifiedAt, suspendedAt } = account;
  async function usageIn(mode: KeyMode) {
    if (io.ledgers === null) return reportedUsage(io.db, id, mode);
    const summary = await usageSummary(io, account, { mode });
    return { total: summary.total_verifications, successful: summary.successful_verifications };
  }
  const keys = (await listApiKeys(io, account)).filter(({ state }) => state !== "expired").map(withoutUse);
  return {
    id,
    email,
    name,
    created_at: new Date(createdAt).toISOString(),
    verified_at: isoOrNull(verifiedAt),
    suspended_at: isoOrNull(suspendedAt),
    subscription: await readSubscription(io, id),
    keys: { test: keys.filter(({ mode }) => mode === "test"), live: keys.filter(({ mode }) => mode === "live") },
    usage: { test: await usageIn("test"), live: await usageIn("live") },
  };
}

/**
 * Suspends an account: rejects its keys and logins, and ends its sessions. Repeating it keeps the first time.
 * @returns when it was suspended, ISO 8601, UTC
 */
export async function suspendAccount(io: Io, { id, suspendedAt }: AccountRow): Promise<string> {
  const { db, now } = io;
  const [changed] = await db.batch([
    db
      .update(users)
      .set({
        suspendedAt: sql`coalesce(${users.suspendedAt}, ${now})`,
        sessionEpoch: sql`${users.sessionEpoch} + 1`,
      })
      .where(eq(users.id, id))
      .returning({ suspendedAt: users.suspendedAt }),
    touchActiveKeys(db, id, now),
  ]);
  recordEvent(io, id, "suspended");
  await publishKeys(io, { userId: id });
  return new Date(changed[0]?.suspendedAt ?? suspendedAt ?? now).toISOString();
}

/** Lifts a suspension. Keys work as before; ended sessions stay ended. */
export async function unsuspendAccount(io: Io, { id }: AccountRow): Promise<void> {
  const { db, now } = io;
  await db.batch([db.update(users).set({ suspendedAt: null }).where(eq(users.id, id)), touchActiveKeys(db, id, now)]);
  recordEvent(io, id, "unsuspended");
  await publishKeys(io, { userId: id });
}
