import { and, eq, exists, isNotNull, not, sql } from "drizzle-orm";
import { TRIAL } from "../../contract/plans.ts";
import type { Plan } from "../../contract/plans.ts";
import type { Subscription } from "../../contract/subscriptions.ts";
import { subscriptions, trialClaims, users } from "../../schema.ts";
import { change } from "../accounts/change.ts";
import { recordEvent } from "../accounts/security-events.ts";
import type { Session } from "../accounts/sessions.ts";
import type { Io } from "../io.ts";
import { publishKeys } from "../key-cache/publish.ts";
import { touchActiveKeys } from "../key-cache/key-changes.ts";
import { countAccountCall } from "../limits/attempts.ts";
import { LIMITS } from "../limits/table.ts";
import { insertFrom } from "../platform/db.ts";
import { AdministrationError, ApiError } from "../platform/errors.ts";
import { DAY_MS } from "../platform/time.ts";
import { findSubscription, isActive, readSubscription } from "./subscription.ts";
import { claimGrantedTrials, claimOf, isDisposable } from "./trial-claims.ts";
import { countTrial } from "./trial-limits.ts";

// Each change touches the account's keys in the same batch, so their new permissions reach the edge.

/** Publishes the keys after a change, and returns the current subscription. */
async function publishAndRead(io: Io, userId: string): Promise<Subscription> {
  await publishKeys(io, { userId });
  return readSubscription(io, userId);
}

/**
 * Starts the account's free trial: once per account, recorded in its subscription, and once per person, recorded in a
 * claim that outlives the account; a few times per domain and network. One of many concurrent requests succeeds.
 * @throws ApiError as `change`; 409 TRIAL_ALREADY_USED or TRIAL_UNAVAILABLE, 429 after too many tries, 503 without the
 * claims secret
 */
export async function activateTrial(io: Io, session: Session): Promise<Subscription> {
  const { db, now, config } = io;
  const { id, email } = session.account;
  await countAccountCall(io, LIMITS.trialPerAccount, id);
  if (config.trialSecret === null) throw new ApiError("TEMPORARILY_UNAVAILABLE");
  const claim = claimOf(config.trialSecret, email);
  const counted = await countTrial(io, config.trialSecret, email);
  const disposable = await isDisposable(email);
  const isFree = not(exists(db.select().from(trialClaims).where(eq(trialClaims.hash, claim))));
  const [started] = await change(io, session, [
    insertFrom(
      db,
      subscriptions,
      { userId: users.id, plan: "trial", status: "active", startedAt: now, expiresAt: now + TRIAL.days * DAY_MS },
      sql`from ${users} where ${users.id} = ${id} and ${!disposable} and ${isFree} and ${counted.rejection === null}`,
    )
      .onConflictDoNothing({ target: subscriptions.userId })
      .returning({ userId: subscriptions.userId }),
    insertFrom(
      db,
      trialClaims,
      { hash: claim, userId: subscriptions.userId },
      sql`from ${subscriptions} where ${subscriptions.userId} = ${id} and ${subscriptions.startedAt} = ${now}`,
    ).onConflictDoNothing(),
    touchActiveKeys(db, id, now),
  ]).catch(async (error: unknown) => {
    await counted.refund();
    throw error;
  });
  if (started.length > 0) {
    recordEvent(io, id, "trial_started");
    return publishAndRead(io, id);
  }
  await counted.refund();
  if ((await findSubscription(db, id)) !== null) throw new ApiError("TRIAL_ALREADY_USED");
  // An account that has none for another reason doesn't get one by asking.
  const wouldStart = !disposable && (await db.$count(trialClaims, eq(trialClaims.hash, claim))) === 0;
  throw (wouldStart && counted.rejection) || new ApiError("TRIAL_UNAVAILABLE");
}

/**
 * Gives an account an active subscription to a plan, whatever it had before. An active one to the same plan keeps its
 * start, and with it the used quota, so repeating the command changes nothing. A trial counts as the person's, which an
 * hourly job records since this command can't.
 * @param until when it ends, in milliseconds since the Unix epoch, or null for no end
 * @throws AdministrationError END_IN_THE_PAST
 */
export async function grantSubscription(
  io: Io,
  userId: string,
  { plan, until }: { readonly plan: Plan; readonly until: number | null },
): Promise<Subscription> {
  const { db, now, config } = io;
  if (until !== null && until <= now) {
    throw new AdministrationError("END_IN_THE_PAST", "The end date is in the past.");
  }
  const before = await findSubscription(db, userId);
  const continues = before !== null && before.plan === plan && isActive(before, now);
  const startedAt = continues ? before.startedAt : now;
  const period = { plan, status: "active", startedAt, expiresAt: until } as const;
  await db.batch([
    db
      .insert(subscriptions)
      .values({ userId, ...period })
      // A new period resets its notices.
      .onConflictDoUpdate({
        target: subscriptions.userId,
        set: { ...period, ...(!continues && { expiryNoticeFor: null }) },
      }),
    touchActiveKeys(db, userId, now),
  ]);
  await claimGrantedTrials({ db, now, secret: config.trialSecret }, userId);
  recordEvent(io, userId, "subscription_changed");
  return publishAndRead(io, userId);
}

/**
 * Ends an account's subscription now, regardless of its expiry.
 * @throws AdministrationError NO_SUBSCRIPTION
 */
export async function endSubscription(io: Io, userId: string): Promise<Subscription> {
  const { db, now } = io;
  const [ended] = await db.batch([
    db
      .update(subscriptions)
      .set({ status: "ended" })
      .where(eq(subscriptions.userId, userId))
      .returning({ userId: subscriptions.userId }),
    touchActiveKeys(db, userId, now),
  ]);
  if (ended.length === 0) {
    throw new AdministrationError("NO_SUBSCRIPTION", "The account has never had a subscription.");
  }
  recordEvent(io, userId, "subscription_changed");
  return publishAndRead(io, userId);
}

/**
 * Extends a trial by a number of days, counted from now if it has already ended; an ended one becomes active again.
 * Used quota stays used. Every call adds days.
 * @param days whole days, at least 1
 * @throws AdministrationError NO_TRIAL_TO_EXTEND
 */
export async function extendTrial(io: Io, userId: string, days: number): Promise<Subscription> {
  const { db, now } = io;
  const [extended] = await db.batch([
    db
      .update(subscriptions)
      .set({ status: "active", expiresAt: sql`max(${subscriptions.expiresAt}, ${now}) + ${days * DAY_MS}` })
      .where(and(eq(subscriptions.userId, userId), eq(subscriptions.plan, "trial"), isNotNull(subscriptions.expiresAt)))
      .returning({ userId: subscriptions.userId }),
    touchActiveKeys(db, userId, now),
  ]);
  if (extended.length === 0) {
    throw new AdministrationError("NO_TRIAL_TO_EXTEND", "The account has no trial to extend.");
  }
  recordEvent(io, userId, "subscription_changed");
  return publishAndRead(io, userId);
}
