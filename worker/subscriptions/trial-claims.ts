import { and, desc, eq, exists, gt, notExists, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { subscriptions, trialClaims, users } from "../../schema.ts";
import type { AccountRow } from "../accounts/accounts.ts";
import { insertFrom } from "../platform/db.ts";
import type { Database } from "../platform/db.ts";
import { domainOf, mailboxOf } from "../limits/mailbox.ts";
import { keyedHash } from "../platform/hash.ts";
import { DAY_MS } from "../platform/time.ts";

/** How long a trial is remembered after its account is deleted, in milliseconds. */
export const TRIAL_MEMORY = 365 * DAY_MS;

/** Whether the address is at a provider of throwaway mailboxes, or a subdomain of one. */
export async function isDisposable(email: string): Promise<boolean> {
  // When it is needed: scripts import this module too, and Node can't load text files.
  const { default: text } = await import("./disposable-domains.txt");
  const disposable = new Set(text.trimEnd().split("\n"));
  const labels = domainOf(email).split(".");
  return labels.some((_, index) => disposable.has(labels.slice(index).join(".")));
}

/** Identifies a person for trials: the same for every spelling of an address, and meaningless without the secret. */
export function claimOf(secret: string, email: string): string {
  return keyedHash(secret, "trial", mailboxOf(email));
}

/** The most granted trials that are claimed at once. */
const MOST_CLAIMED = 1_000;

interface Claiming {
  readonly db: Database;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** Null for an operator's command on the deployed database, which can't claim. */
  readonly secret: string | null;
}

/** Trials that were granted, and that no person has claimed. */
function isUnclaimed({ db, now }: Claiming) {
  return and(
    eq(subscriptions.plan, "trial"),
    // Even one granted for less than a day is claimed within the next hour.
    gt(subscriptions.expiresAt, now - DAY_MS),
    notExists(db.select().from(trialClaims).where(eq(trialClaims.userId, subscriptions.userId))),
  );
}

/** The statement that claims the granted trials among these accounts' for their persons, as starting a trial does. */
export function claiming(io: Claiming, accounts: readonly Pick<AccountRow, "id" | "email">[]) {
  const { db, secret } = io;
  const claims = secret === null ? [] : accounts.map(({ id, email }) => ({ hash: claimOf(secret, email), id }));
  const granted = db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.userId, sql`value ->> 'id'`), isUnclaimed(io)));
  return (
    insertFrom(
      db,
      trialClaims,
      { hash: sql`value ->> 'hash'`, userId: sql`value ->> 'id'` },
      sql`from json_each(${JSON.stringify(claims)}) where ${exists(granted)}`,
    )
      // A deleted account's claim moves to the person's current one.
      .onConflictDoUpdate({
        target: trialClaims.hash,
        set: { userId: sql`excluded.user_id`, expiresAt: null },
        setWhere: sql`${trialClaims.userId} is null`,
      })
  );
}

/**
 * Claims granted trials. Not part of granting: an operator's command doesn't have the secret.
 * @param userId claims for this account only; all by default
 */
export async function claimGrantedTrials(io: Claiming, userId?: string): Promise<void> {
  const granted = await io.db
    .select({ id: users.id, email: users.email })
    .from(subscriptions)
    .innerJoin(users, eq(users.id, subscriptions.userId))
    .where(and(isUnclaimed(io), userId === undefined ? undefined : eq(users.id, userId)))
    .orderBy(desc(subscriptions.startedAt))
    .limit(MOST_CLAIMED);
  if (granted.length > 0) await claiming(io, granted);
}

/**
 * Sets the account's claim to expire, for the batch that deletes the account, and unlinks it.
 * @param userId the account's id, or a query for it
 */
export function releaseClaim(db: Database, userId: string | SQL, now: number) {
  return db
    .update(trialClaims)
    .set({ userId: null, expiresAt: now + TRIAL_MEMORY })
    .where(eq(trialClaims.userId, userId));
}
