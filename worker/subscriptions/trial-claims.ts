import { and, desc, eq, gt, notExists, sql } from "drizzle-orm";
import { unpackWords } from "../../contract/word-list.ts";
import { subscriptions, trialClaims, users } from "../../schema.ts";
import type { Database } from "../platform/db.ts";
import { keyedHash } from "../platform/hash.ts";
import { DAY_MS } from "../platform/time.ts";
import { DISPOSABLE_DOMAINS } from "./disposable-domains.ts";

/** How long it is remembered after an account is deleted that its owner had a trial, in milliseconds. */
export const TRIAL_MEMORY = 365 * DAY_MS;

/** The mailbox that an address leads to: without what comes after a plus sign, and without the dots that Gmail ignores. */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf("@");
  const given = email.slice(at + 1).toLowerCase();
  const domain = given === "googlemail.com" ? "gmail.com" : given;
  // A plus sign at the beginning has nothing in front of it that could be the mailbox.
  const local = email
    .slice(0, at)
    .toLowerCase()
    .replace(/(?<=.)\+.*$/, "");
  return `${domain === "gmail.com" ? local.replaceAll(".", "") : local}@${domain}`;
}

/** The domains of providers of throwaway mailboxes. */
export function disposableDomains(): ReadonlySet<string> {
  const domains = DISPOSABLE_DOMAINS.split("\n").flatMap((line) => {
    const space = line.indexOf(" ");
    return unpackWords(line.slice(space + 1)).map((label) => `${label}.${line.slice(0, space)}`);
  });
  return new Set(domains);
}

let disposable: ReadonlySet<string> | undefined;

/** Whether the address is at a provider of throwaway mailboxes, or below the domain of one. */
export function isDisposable(email: string): boolean {
  disposable ??= disposableDomains();
  const labels = email
    .slice(email.lastIndexOf("@") + 1)
    .toLowerCase()
    .split(".");
  return labels.some((_, index) => disposable!.has(labels.slice(index).join(".")));
}

/** Names a person for trials: the same for every spelling of an address, and meaningless without the secret. */
export function claimOf(secret: string, email: string): string {
  return keyedHash(secret, "trial", mailboxOf(email));
}

/** Most granted trials that are claimed at once. */
const MOST_CLAIMED = 1_000;

/**
 * Claims the persons whose trial an operator has granted, as starting one does. Not where it is granted: an operator's command on the
 * deployed database does not have the secret.
 * @param userId of the only account to claim for; all without it
 */
export async function claimGrantedTrials(
  { db, now, secret }: { readonly db: Database; readonly now: number; readonly secret: string | null },
  userId?: string,
): Promise<void> {
  if (secret === null) return;
  const granted = await db
    .select({ id: users.id, email: users.email })
    .from(subscriptions)
    .innerJoin(users, eq(users.id, subscriptions.userId))
    .where(
      and(
        eq(subscriptions.plan, "trial"),
        // One that was granted for less than a day is claimed by the next hour all the same.
        gt(subscriptions.expiresAt, now - DAY_MS),
        userId === undefined ? undefined : eq(users.id, userId),
        notExists(db.select().from(trialClaims).where(eq(trialClaims.userId, users.id))),
      ),
    )
    .orderBy(desc(subscriptions.startedAt))
    .limit(MOST_CLAIMED);
  if (granted.length === 0) return;
  const claims = JSON.stringify(granted.map(({ id, email }) => [claimOf(secret, email), id]));
  await db
    .insert(trialClaims)
    // The columns in the order of the schema. An account that was deleted meanwhile has released its claim, if it had one.
    .select(
      sql`select value ->> 0, value ->> 1, null from json_each(${claims}) where value ->> 1 in (select ${users.id} from ${users})`,
    )
    // The claim of an account that is deleted goes to the one that the person has now.
    .onConflictDoUpdate({
      target: trialClaims.hash,
      set: { userId: sql`excluded.user_id`, expiresAt: null },
      setWhere: sql`${trialClaims.userId} is null`,
    });
}

/** Lets the claim of an account run out, for the batch that deletes the account. It no longer leads to it. */
export function releaseClaim(db: Database, userId: string, now: number) {
  return db
    .update(trialClaims)
    .set({ userId: null, expiresAt: now + TRIAL_MEMORY })
    .where(eq(trialClaims.userId, userId));
}
