import { disposableEmailBlocklistSet } from "disposable-email-domains-js";
import { eq } from "drizzle-orm";
import { trialClaims } from "../../schema.ts";
import type { Database } from "../platform/db.ts";
import { keyedHash } from "../platform/hash.ts";
import { DAY_MS } from "../platform/time.ts";

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

let disposable: ReadonlySet<string> | undefined;

/** Whether the address is at a provider of throwaway mailboxes, or below the domain of one. */
export function isDisposable(email: string): boolean {
  disposable ??= disposableEmailBlocklistSet();
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

/** Lets the claim of an account run out, for the batch that deletes the account. It no longer leads to it. */
export function releaseClaim(db: Database, userId: string, now: number) {
  return db
    .update(trialClaims)
    .set({ userId: null, expiresAt: now + TRIAL_MEMORY })
    .where(eq(trialClaims.userId, userId));
}
