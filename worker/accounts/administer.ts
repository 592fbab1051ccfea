import { eq, sql } from "drizzle-orm";
import type { ListedKey } from "../../contract/keys.ts";
import type { KeyMode } from "../../contract/limits.ts";
import type { Subscription } from "../../contract/subscriptions.ts";
import { users } from "../../schema.ts";
import type { Database } from "../db.ts";
import { revokeApiKeys, touchActiveKeys } from "../keys/key-changes.ts";
import { listApiKeys } from "../keys/list-api-keys.ts";
import { readSubscription } from "../subscriptions/read-subscription.ts";
import { usageSummary } from "../usage/reports.ts";
import { findAccountByEmail } from "./find-account.ts";
import type { AccountRow } from "./find-account.ts";
import { isoOrNull } from "../times.ts";

/** An account, as an operator names it, and when. */
export interface Administration {
  readonly db: Database;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** Compared in lower case. */
  readonly email: string;
}

/** A command that cannot be carried out. Its message is a sentence for the operator. */
export class AdministrationError extends Error {
  override readonly name = "AdministrationError";
  readonly code: "ACCOUNT_NOT_FOUND" | "NO_SUBSCRIPTION" | "NO_TRIAL_TO_EXTEND" | "END_IN_THE_PAST";

  constructor(code: AdministrationError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

export interface AccountOverview {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** Times are ISO 8601, UTC. */
  readonly created_at: string;
  readonly verified_at: string | null;
  readonly suspended_at: string | null;
  readonly subscription: Subscription;
  readonly keys: Readonly<Record<KeyMode, readonly ListedKey[]>>;
  readonly usage: Readonly<Record<KeyMode, { readonly total: number; readonly successful: number }>>;
}

/**
 * The account that an operator means.
 * @throws AdministrationError ACCOUNT_NOT_FOUND.
 */
export async function accountToAdminister(input: Omit<Administration, "now">): Promise<AccountRow> {
  const email = input.email.toLowerCase();
  const account = await findAccountByEmail(input.db, email);
  if (account === null) throw new AdministrationError("ACCOUNT_NOT_FOUND", `There is no account with email ${email}.`);
  return account;
}

/**
 * Everything an operator needs to know about an account; no hash is part of it.
 * @throws AdministrationError ACCOUNT_NOT_FOUND.
 */
export async function describeAccount(input: Administration): Promise<AccountOverview> {
  const { db, now } = input;
  const { id, email, name, createdAt, verifiedAt, suspendedAt } = await accountToAdminister(input);
  async function usageIn(mode: KeyMode) {
    const summary = await usageSummary(db, { userId: id, mode, now });
    return { total: summary.total_verifications, successful: summary.successful_verifications };
  }
  const keys = await listApiKeys(db, id);
  return {
    id,
    email,
    name,
    created_at: new Date(createdAt).toISOString(),
    verified_at: isoOrNull(verifiedAt),
    suspended_at: isoOrNull(suspendedAt),
    subscription: await readSubscription(db, id, now),
    keys: { test: keys.filter(({ mode }) => mode === "test"), live: keys.filter(({ mode }) => mode === "live") },
    usage: { test: await usageIn("test"), live: await usageIn("live") },
  };
}

/**
 * Shuts an account out: its keys and sign-ins are refused, its sessions end. Done again, it keeps the first time.
 * @returns since when it is suspended, ISO 8601, UTC
 * @throws AdministrationError ACCOUNT_NOT_FOUND.
 */
export async function suspendAccount(input: Administration): Promise<string> {
  const { db, now } = input;
  const { id, suspendedAt } = await accountToAdminister(input);
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
  return new Date(changed[0]?.suspendedAt ?? suspendedAt ?? now).toISOString();
}

/**
 * Lets an account in again. Its keys work as before; its sessions stay ended.
 * @throws AdministrationError ACCOUNT_NOT_FOUND.
 */
export async function unsuspendAccount(input: Administration): Promise<void> {
  const { db, now } = input;
  const { id } = await accountToAdminister(input);
  await db.batch([db.update(users).set({ suspendedAt: null }).where(eq(users.id, id)), touchActiveKeys(db, id, now)]);
}

/**
 * Revokes all active keys of an account, or those of a mode. Its owner can generate new ones.
 * @returns how many stopped working
 * @throws AdministrationError ACCOUNT_NOT_FOUND.
 */
export async function revokeAccountKeys(
  input: Administration & { readonly mode?: KeyMode | undefined },
): Promise<number> {
  const { db, now, mode } = input;
  const { id } = await accountToAdminister(input);
  return (await revokeApiKeys(db, now, { userId: id, mode })).length;
}
