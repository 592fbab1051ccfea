import { count, desc, eq, or, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { ListedKey } from "../../contract/keys.ts";
import type { KeyMode } from "../../contract/limits.ts";
import type { Subscription } from "../../contract/subscriptions.ts";
import { apiKeys, subscriptions, usageMonths, users } from "../../schema.ts";
import type { Io } from "../io.ts";
import { listApiKeys } from "../keys/list-api-keys.ts";
import { publishKeys } from "../key-cache/publish.ts";
import { touchActiveKeys } from "../key-cache/key-changes.ts";
import { batchOf } from "../platform/db.ts";
import type { Database } from "../platform/db.ts";
import { AdministrationError } from "../platform/errors.ts";
import { isoOrNull, utcDay } from "../platform/time.ts";
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
  readonly subscription: Omit<Subscription, "quota"> & {
    readonly quota: Pick<Subscription["quota"], "limit"> & { readonly used: number | null };
  };
  /** Active keys. */
  readonly keys: Readonly<Record<KeyMode, readonly ShownKey[]>>;
  /** As of the ledger's last report to D1. Null, like the used quota, before the first report. */
  readonly usage: Readonly<Record<KeyMode, { readonly total: number; readonly successful: number }>> | null;
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

/** LIKE's wildcards are text here. */
const contains = (column: SQLiteColumn, text: string) => sql<boolean>`instr(lower(${column}), lower(${text})) > 0`;

/**
 * The keys that a text may mean, revoked ones too, and their accounts: a key's id or its last four characters, or a part
 * of the owner's email. An account without keys is one row. Newest first.
 */
export async function findAccounts({ db }: Io, text: string, limit: number) {
  const isMeant = or(eq(apiKeys.id, text), eq(apiKeys.hint, text), contains(users.email, text), eq(users.id, text));
  const rows = await db
    .select({ email: users.email, id: users.id, suspendedAt: users.suspendedAt, key: apiKeys })
    .from(users)
    .leftJoin(apiKeys, eq(apiKeys.userId, users.id))
    .where(isMeant)
    .orderBy(desc(users.createdAt), desc(apiKeys.createdAt))
    .limit(limit);
  return rows.map(({ email, id, suspendedAt, key }) => ({
    email,
    id,
    suspended_at: isoOrNull(suspendedAt),
    key: key && { id: key.id, hint: key.hint, mode: key.mode, name: key.name, revoked_at: isoOrNull(key.revokedAt) },
  }));
}

/** The accounts with the most verifications of this month (UTC), as of their ledgers' last reports. Most first. */
export async function busiestAccounts({ db, now }: Io, limit: number) {
  const { liveSuccessful, liveFailed, testSuccessful, testFailed, month, userId } = usageMonths;
  const live = sql<number>`${liveSuccessful} + ${liveFailed}`;
  const test = sql<number>`${testSuccessful} + ${testFailed}`;
  return db
    .select({ email: users.email, id: users.id, live, live_invalid: liveFailed, test })
    .from(usageMonths)
    .innerJoin(users, eq(users.id, userId))
    .where(eq(month, utcDay(now).slice(0, 7)))
    .orderBy(desc(sql`${live} + ${test}`))
    .limit(limit);
}

/** What the account's ledger last reported to D1; null if it has counted but not reported yet. */
async function reportedUsage(db: Database, { id, meteredAt }: AccountRow): Promise<AccountOverview["usage"]> {
  const { liveSuccessful, liveFailed, testSuccessful, testFailed, userId } = usageMonths;
  const sumOf = (column: SQLiteColumn) => sql<number>`coalesce(sum(${column}), 0)`;
  const [sums] = await db
    .select({
      months: count(),
      liveSuccessful: sumOf(liveSuccessful),
      liveFailed: sumOf(liveFailed),
      testSuccessful: sumOf(testSuccessful),
      testFailed: sumOf(testFailed),
    })
    .from(usageMonths)
    .where(eq(userId, id));
  if (sums!.months === 0 && meteredAt !== null) return null;
  return {
    test: { total: sums!.testSuccessful + sums!.testFailed, successful: sums!.testSuccessful },
    live: { total: sums!.liveSuccessful + sums!.liveFailed, successful: sums!.liveSuccessful },
  };
}

function withoutUse({ id, mode, name, hint, created_at }: ListedKey): ShownKey {
  return { id, mode, name, hint, created_at };
}

/** Everything an operator needs to know about an account, read from D1 alone. Contains no hashes. */
export async function describeAccount(io: Io, account: AccountRow): Promise<AccountOverview> {
  const { id, email, name, createdAt, verifiedAt, suspendedAt } = account;
  const usage = await reportedUsage(io.db, account);
  const { quota, ...subscription } = await readSubscription({ db: io.db, now: io.now, ledgers: null }, id);
  const keys = (await listApiKeys(io, account)).filter(({ state }) => state !== "expired").map(withoutUse);
  return {
    id,
    email,
    name,
    created_at: new Date(createdAt).toISOString(),
    verified_at: isoOrNull(verifiedAt),
    suspended_at: isoOrNull(suspendedAt),
    subscription: { ...subscription, quota: { limit: quota.limit, used: usage === null ? null : quota.used } },
    keys: { test: keys.filter(({ mode }) => mode === "test"), live: keys.filter(({ mode }) => mode === "live") },
    usage,
  };
}

/**
 * Suspends an account: rejects its keys and logins, and ends its sessions. Repeating it keeps the first time.
 * @returns when it was suspended, ISO 8601, UTC
 */
export async function suspendAccount(io: Io, { id, suspendedAt }: AccountRow): Promise<string> {
  const { db, now } = io;
  const { suspended } = await batchOf(db, {
    suspended: db
      .update(users)
      .set({
        suspendedAt: sql`coalesce(${users.suspendedAt}, ${now})`,
        sessionEpoch: sql`${users.sessionEpoch} + 1`,
      })
      .where(eq(users.id, id))
      .returning({ suspendedAt: users.suspendedAt }),
    keys: touchActiveKeys(db, id, now),
  });
  recordEvent(io, id, "suspended");
  await publishKeys(io, { userId: id });
  return new Date(suspended[0]?.suspendedAt ?? suspendedAt ?? now).toISOString();
}

/** Lifts a suspension. Keys work as before; ended sessions stay ended. */
export async function unsuspendAccount(io: Io, { id }: AccountRow): Promise<void> {
  const { db, now } = io;
  await db.batch([db.update(users).set({ suspendedAt: null }).where(eq(users.id, id)), touchActiveKeys(db, id, now)]);
  recordEvent(io, id, "unsuspended");
  await publishKeys(io, { userId: id });
}
