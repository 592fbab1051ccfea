import { and, eq, gt, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { signInAttempts } from "../../schema.ts";
import type { Config } from "../platform/config.ts";
import type { Database } from "../platform/db.ts";
import { tooManyAttempts } from "../platform/errors.ts";
import { keyedHash } from "../platform/hash.ts";
import type { AttemptRule, GuessRules } from "./rules.ts";

/** What attempts are counted by: a rule, and whom it is about. */
export interface Subject {
  readonly rule: AttemptRule;
  /** Keyed hash of an account, an address or both. */
  readonly id: string;
}

export type AttemptVerdict =
  | {
      readonly allowed: true;
      /** Attempts that are left to the subject that is closest to its limit, this one taken off. */
      readonly remaining: number;
      /** Until that subject has all its attempts again. */
      readonly resetSeconds: number;
    }
  | { readonly allowed: false; readonly retryAfterSeconds: number };

/** A subject that can be counted but not read back: addresses and accounts are not stored for limits. */
export function attemptSubject(secret: string, rule: AttemptRule, ...about: readonly string[]): Subject {
  return { rule, id: keyedHash(secret, rule.name, ...about) };
}

/** True once one of these subjects has gone over its limit. */
function anyOver(subjects: readonly Subject[]): SQL | undefined {
  return or(
    ...subjects.map(({ id, rule }) => and(eq(signInAttempts.subject, id), gt(signInAttempts.count, rule.limit))),
  );
}

function count(db: Database, subject: Subject, earlier: readonly Subject[], now: number) {
  const { id, rule } = subject;
  const over = anyOver(earlier);
  // An attempt that an earlier rule refuses does not count against later ones: a guesser who is stopped stops filling them.
  const go = over === undefined ? sql`true` : sql`not exists (select 1 from ${signInAttempts} where ${over})`;
  const windowOver = sql`${signInAttempts.windowEndsAt} <= ${now}`;
  return db
    .insert(signInAttempts)
    .select(sql`select ${id}, 1, ${now + rule.window} where ${go}`)
    .onConflictDoUpdate({
      target: signInAttempts.subject,
      set: {
        count: sql`case when ${windowOver} then 1 else ${signInAttempts.count} + 1 end`,
        windowEndsAt: sql`case when ${windowOver} then excluded.window_ends_at else ${signInAttempts.windowEndsAt} end`,
      },
    })
    .returning({ count: signInAttempts.count, windowEndsAt: signInAttempts.windowEndsAt });
}

/**
 * Counts one attempt against every subject, in order, in one atomic step, and says whether it may go on. The first subject over
 * its limit refuses it and does not count it: of many sign-ins at once that all have the right password, those let through are taken
 * back, and nothing may remain of those refused. `now` in milliseconds since the Unix epoch.
 */
export async function countAttempt(db: Database, now: number, subjects: readonly Subject[]): Promise<AttemptVerdict> {
  const statements = subjects.map((subject, index) => count(db, subject, subjects.slice(0, index), now));
  const [first, ...rest] = statements;
  let closest = { allowed: true as const, remaining: Infinity, resetSeconds: 0 };
  if (first === undefined) return closest;
  const forgetRefused = db
    .update(signInAttempts)
    .set({ count: sql`${signInAttempts.count} - 1` })
    .where(anyOver(subjects))
    .returning({ count: signInAttempts.count, windowEndsAt: signInAttempts.windowEndsAt });
  const results = await db.batch([first, ...rest, forgetRefused]);
  for (const [index, { rule }] of subjects.entries()) {
    const row = results[index]?.[0];
    if (row === undefined) continue;
    const seconds = Math.max(1, Math.ceil((row.windowEndsAt - now) / 1000));
    if (row.count > rule.limit) return { allowed: false, retryAfterSeconds: seconds };
    const remaining = rule.limit - row.count;
    if (remaining < closest.remaining) closest = { allowed: true, remaining, resetSeconds: seconds };
  }
  return closest;
}

/** Refunds a successful attempt; only failures count. */
async function refundAttempt(db: Database, subjects: readonly Subject[]): Promise<void> {
  const ids = subjects.map(({ id }) => eq(signInAttempts.subject, id));
  await db
    .update(signInAttempts)
    .set({ count: sql`max(count - 1, 0)` })
    .where(or(...ids));
}

/** Forgets wrong guesses at a secret that is another now, and spares the caller's address as one that got it right. */
export async function forgetGuesses(
  { db, now, config, address }: Guesser,
  { perAccountAndAddress, perAccount, known }: GuessRules,
  account: string,
): Promise<void> {
  const { current } = config.secrets.attempts;
  const subjects = [
    attemptSubject(current, perAccountAndAddress, account, address),
    attemptSubject(current, perAccount, account),
  ];
  const ids = subjects.map(({ id }) => eq(signInAttempts.subject, id));
  await db.delete(signInAttempts).where(or(...ids));
  await mark(db, now, attemptSubject(current, known, account, address));
}

interface Guesser {
  readonly db: Database;
  readonly now: number;
  readonly config: Config;
  readonly address: string;
}

/**
 * Counts a guess at a secret of an account before it is checked. An address that has got it right before is spared the limit that
 * counts guesses from anywhere, so that guessers cannot lock the owner out.
 * @param account its email, in lower case
 * @returns what to call when the guess was right: it takes the guess back and, for the owner, marks the address
 * @throws ApiError 429 with Retry-After once there were too many wrong ones
 */
export async function countGuess(
  { db, now, config, address }: Guesser,
  { perAccountAndAddress, perAddress, perAccount, known: rule }: GuessRules,
  account: string,
): Promise<(guesser: { readonly isOwner: boolean }) => Promise<void>> {
  const { current, retiring } = config.secrets.attempts;
  const known = attemptSubject(current, rule, account, address);
  const marks = [known];
  if (retiring !== null) marks.push(attemptSubject(retiring, rule, account, address));
  const subjects = [
    attemptSubject(current, perAccountAndAddress, account, address),
    attemptSubject(current, perAddress, address),
  ];
  if (!(await isMarked(db, now, marks))) subjects.push(attemptSubject(current, perAccount, account));
  const verdict = await countAttempt(db, now, subjects);
  if (!verdict.allowed) throw tooManyAttempts(verdict.retryAfterSeconds);
  return async function wasRight({ isOwner }) {
    await Promise.all([refundAttempt(db, subjects), isOwner && mark(db, now, known)]);
  };
}

/**
 * Counts a call of a signed-in account, whatever address it comes from.
 * @throws ApiError 429 with Retry-After
 */
export async function countAccountCall(
  { db, now, config }: { readonly db: Database; readonly now: number; readonly config: Config },
  rule: AttemptRule,
  userId: string,
): Promise<void> {
  const verdict = await countAttempt(db, now, [attemptSubject(config.secrets.attempts.current, rule, userId)]);
  if (!verdict.allowed) throw tooManyAttempts(verdict.retryAfterSeconds);
}

/** Whether another email of a kind may go to this address now. Refusing is silent: the caller need not be the owner. */
export async function mayEmail(
  { db, now, config }: { readonly db: Database; readonly now: number; readonly config: Config },
  rule: AttemptRule,
  email: string,
): Promise<boolean> {
  const subject = attemptSubject(config.secrets.attempts.current, rule, email);
  return (await countAttempt(db, now, [subject])).allowed;
}

/** Whether a mark on one of these subjects still holds. */
async function isMarked(db: Database, now: number, subjects: readonly Subject[]): Promise<boolean> {
  const ids = subjects.map(({ id }) => eq(signInAttempts.subject, id));
  const row = await db
    .select({ windowEndsAt: signInAttempts.windowEndsAt })
    .from(signInAttempts)
    .where(and(or(...ids), gt(signInAttempts.windowEndsAt, now)))
    .get();
  return row !== undefined;
}

/** Marks a subject for the length of its rule's window from now. */
export async function mark(db: Database, now: number, { id, rule }: Subject): Promise<void> {
  const windowEndsAt = now + rule.window;
  await db
    .insert(signInAttempts)
    .values({ subject: id, count: 0, windowEndsAt })
    .onConflictDoUpdate({ target: signInAttempts.subject, set: { windowEndsAt } });
}
