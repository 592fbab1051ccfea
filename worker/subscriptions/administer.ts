import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Plan } from "../../contract/limits.ts";
import type { Subscription } from "../../contract/subscriptions.ts";
import { subscriptions } from "../../schema.ts";
import { accountToAdminister, AdministrationError } from "../accounts/administer.ts";
import type { Administration } from "../accounts/administer.ts";
import { touchActiveKeys } from "../keys/key-changes.ts";
import { DAY_MS } from "../usage/days.ts";
import { isActive } from "./is-active.ts";
import { findSubscription, readSubscription } from "./read-subscription.ts";

/**
 * Gives an account an active subscription of a plan, whatever it had before. One of the same plan that is active already keeps its
 * start, and with it what was used of the quota, so that doing it again changes nothing.
 * @param input.until when it ends, in milliseconds since the Unix epoch, or null for no end
 * @throws AdministrationError ACCOUNT_NOT_FOUND, END_IN_THE_PAST.
 */
export async function grantSubscription(
  input: Administration & { readonly plan: Plan; readonly until: number | null },
): Promise<Subscription> {
  const { db, now, plan, until } = input;
  const { id } = await accountToAdminister(input);
  if (until !== null && until <= now) {
    throw new AdministrationError("END_IN_THE_PAST", "A subscription cannot be granted until a day that is over.");
  }
  const before = await findSubscription(db, id);
  const goesOn = before !== null && before.plan === plan && isActive(before, now);
  const startedAt = goesOn ? before.startedAt : now;
  const period = { plan, status: "active", startedAt, expiresAt: until } as const;
  await db.batch([
    db
      .insert(subscriptions)
      .values({ userId: id, ...period })
      // What begins anew is told of anew.
      .onConflictDoUpdate({
        target: subscriptions.userId,
        set: { ...period, ...(!goesOn && { quotaNotice: 0, expiryNoticeFor: null }) },
      }),
    touchActiveKeys(db, id, now),
  ]);
  return readSubscription(db, id, now);
}

/**
 * Ends an account's subscription now, whenever it would have run out.
 * @throws AdministrationError ACCOUNT_NOT_FOUND, NO_SUBSCRIPTION.
 */
export async function endSubscription(input: Administration): Promise<Subscription> {
  const { db, now } = input;
  const { id, email } = await accountToAdminister(input);
  const [ended] = await db.batch([
    db
      .update(subscriptions)
      .set({ status: "ended" })
      .where(eq(subscriptions.userId, id))
      .returning({ userId: subscriptions.userId }),
    touchActiveKeys(db, id, now),
  ]);
  if (ended.length === 0) {
    throw new AdministrationError("NO_SUBSCRIPTION", `${email} has never had a subscription.`);
  }
  return readSubscription(db, id, now);
}

/**
 * Moves the end of a trial back by so many days, counted from now when that end has passed; one that was ended is active again.
 * Its quota stays as it was used. Every call adds days.
 * @param input.days whole days, from 1
 * @throws AdministrationError ACCOUNT_NOT_FOUND, NO_TRIAL_TO_EXTEND.
 */
export async function extendTrial(input: Administration & { readonly days: number }): Promise<Subscription> {
  const { db, now, days } = input;
  const { id, email } = await accountToAdminister(input);
  const [extended] = await db.batch([
    db
      .update(subscriptions)
      .set({ status: "active", expiresAt: sql`max(${subscriptions.expiresAt}, ${now}) + ${days * DAY_MS}` })
      .where(and(eq(subscriptions.userId, id), eq(subscriptions.plan, "trial"), isNotNull(subscriptions.expiresAt)))
      .returning({ userId: subscriptions.userId }),
    touchActiveKeys(db, id, now),
  ]);
  if (extended.length === 0) {
    throw new AdministrationError("NO_TRIAL_TO_EXTEND", `${email} has no trial with an end that could move.`);
  }
  return readSubscription(db, id, now);
}
