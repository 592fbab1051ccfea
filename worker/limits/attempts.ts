import { and, eq, gt, inArray, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { signInAttempts } from "../../schema.ts";
import type { Config } from "../platform/config.ts";
import { insertFrom } from "../platform/db.ts";
import type { Database } from "../platform/db.ts";
import { tooManyAttempts } from "../platform/errors.ts";
import { keyedHash } from "../platform/hash.ts";
import { mailboxOf } from "./mailbox.ts";
import { MAIL_RULES } from "./rules.ts";
import type { AttemptRule, GuessRules } from "./rules.ts";

/** What attempts are counted by: a rule and its subject. */
export interface Subject {
  readonly rule: AttemptRule;
  /** Keyed hash of an account, an address, or both. */
  readonly id: string;
}

export type AttemptVerdict =
  | {
      readonly allowed: true;
      /** Attempts left to the subject closest to its limit, after this one. */
      readonly remaining: number;
      /** Seconds until that subject's limit resets. */
      readonly resetSeconds: number;
    }
  | {
      readonly allowed: false;
      /** The rule that rejects it. Subjects before it have counted it. */
      readonly rule: AttemptRule;
      readonly retryAfterSeconds: number;
    };

/** A subject that can be counted but not read back: limits never store addresses or accounts. */
export function attemptSubject(secret: string, rule: AttemptRule, ...about: readonly string[]): Subject {
  return { rule, id: keyedHash(secret, rule.name, ...about) };
}

/** True once one of these subjects has exceeded its limit. */
function anyOver(subjects: readonly Subject[]): SQL | undefined {
  return or(
    ...subjects.map(({ id, rule }) => and(eq(signInAttempts.subject, id), gt(signInAttempts.count, rule.limit))),
  );
}

function count(db: Database, subject: Subject, earlier: readonly Subject[], now: number) {
  const { id, rule } = subject;
  const over = anyOver(earlier);
  // An attempt that an earlier rule rejects doesn't count against later ones, so a blocked guesser stops filling them.
  const go = over === undefined ? sql`true` : sql`not exists (select 1 from ${signInAttempts} where ${over})`;
  const windowOver = sql`${signInAttempts.windowEndsAt} <= ${now}`;
  const row = { subject: id, count: 1, windowEndsAt: now + rule.window };
  return insertFrom(db, signInAttempts, row, sql`where ${go}`)
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
 * Counts one attempt against every subject, in order, in one atomic step, and decides whether to allow it. The first
 * subject over its limit rejects it without counting it: of many concurrent logins with the right password, those
 * allowed are refunded, and nothing may remain of those rejected. `now` in milliseconds since the Unix epoch.
 */
export async function countAttempt(db: Database, now: number, subjects: readonly Subject[]): Promise<AttemptVerdict> {
  const statements = subjects.map((subject, index) => count(db, subject, subjects.slice(0, index), now));
  const [first, ...rest] = statements;
  let closest = { allowed: true as const, remaining: Infinity, resetSeconds: 0 };
  if (first === undefined) return closest;
  const forgetRejected = db
    .update(signInAttempts)
    .set({ count: sql`${signInAttempts.count} - 1` })
    .where(anyOver(subjects))
    .returning({ count: signInAttempts.count, windowEndsAt: signInAttempts.windowEndsAt });
  const results = await db.batch([first, ...rest, forgetRejected]);
  for (const [index, { rule }] of subjects.entries()) {
    const row = results[index]?.[0];
    if (row === undefined) continue;
    const seconds = Math.max(1, Math.ceil((row.windowEndsAt - now) / 1000));
    if (row.count > rule.limit) return { allowed: false, rule, retryAfterSeconds: seconds };
    const remaining = rule.limit - row.count;
    if (remaining < closest.remaining) closest = { allowed: true, remaining, resetSeconds: seconds };
  }
  return closest;
}

/** Takes back a counted attempt: where only failures count, one that succeeded. */
export async function refundAttempt(db: Database, subjects: readonly Subject[]): Promise<void> {
  const ids = subjects.map(({ id }) => eq(signInAttempts.subject, id));
  await db
    .update(signInAttempts)
    .set({ count: sql`max(count - 1, 0)` })
    .where(or(...ids));
}

/** Forgets wrong guesses at a secret that has changed, and exempts the caller's address as one that guessed right. */
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
 * Counts a guess at an account's secret before it is checked. An address that was right before is exempt from the limit
 * on guesses from anywhere, so guessers can't lock the owner out.
 * @param account its email, in lowercase
 * @returns call this when the guess was right: it refunds the guess and marks the address
 * @throws ApiError 429 with Retry-After after too many wrong ones
 */
export async function countGuess(
  { db, now, config, address }: Guesser,
  { perAccountAndAddress, perAddress, perAccount, known: rule }: GuessRules,
  account: string,
): Promise<() => Promise<void>> {
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
  return async function wasRight() {
    await Promise.all([refundAttempt(db, subjects), mark(db, now, known)]);
  };
}

/**
 * Counts a call of a logged-in account, from any address.
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

/** How many attempts are counted in the current window. */
export async function readCount(db: Database, now: number, { id }: Subject): Promise<number> {
  const row = await db
    .select({ count: signInAttempts.count })
    .from(signInAttempts)
    .where(and(eq(signInAttempts.subject, id), gt(signInAttempts.windowEndsAt, now)))
    .get();
  return row?.count ?? 0;
}

/**
 * What an email that anyone can request counts by: its mailbox. Spellings with a tag or dots may use half of the limit,
 * so that strangers who make them up leave the rest to the mailbox's own address.
 */
function mailSubjects(secret: string, rule: AttemptRule, email: string, ...about: readonly string[]): Subject[] {
  const mailbox = mailboxOf(email);
  const all = attemptSubject(secret, rule, mailbox, ...about);
  if (email === mailbox) return [all];
  const spellings = { ...rule, name: `${rule.name}-spellings`, limit: Math.ceil(rule.limit / 2) };
  return [attemptSubject(secret, spellings, mailbox, ...about), all];
}

/** Whether an email may be sent. */
interface MailTurn {
  readonly isAllowed: boolean;
  /** When another can follow this one, in milliseconds since the Unix epoch: its link must work until then. */
  readonly nextAt: number;
}

/**
 * Counts an email of a kind to this address. Rejection is silent: the caller may not be the owner. Requests for an
 * address without an account, which send nothing, don't use up what its owner will need.
 */
export async function mayEmail(
  { db, now, config }: { readonly db: Database; readonly now: number; readonly config: Config },
  rule: AttemptRule,
  { email, hasAccount }: { readonly email: string; readonly hasAccount: boolean },
): Promise<MailTurn> {
  const about = hasAccount ? [] : ["no account"];
  const subjects = mailSubjects(config.secrets.attempts.current, rule, email, ...about);
  const verdict = await countAttempt(db, now, subjects);
  const isLast = verdict.allowed && verdict.remaining === 0;
  return { isAllowed: verdict.allowed, nextAt: isLast ? now + verdict.resetSeconds * 1000 : now };
}

/**
 * Resets an address's budgets for links. For every change that ends its links: while a budget is used up, the links it
 * paid for are the owner's only way in.
 */
export async function reopenMail(
  { db, config }: { readonly db: Database; readonly config: Config },
  email: string,
): Promise<void> {
  const { current } = config.secrets.attempts;
  const rules = [MAIL_RULES.verification, MAIL_RULES.reset];
  const ids = rules.flatMap((rule) => mailSubjects(current, rule, email).map(({ id }) => id));
  await db.delete(signInAttempts).where(inArray(signInAttempts.subject, ids));
}

/** Whether a mark on one of these subjects is still valid. */
async function isMarked(db: Database, now: number, subjects: readonly Subject[]): Promise<boolean> {
  const ids = subjects.map(({ id }) => eq(signInAttempts.subject, id));
  const row = await db
    .select({ windowEndsAt: signInAttempts.windowEndsAt })
    .from(signInAttempts)
    .where(and(or(...ids), gt(signInAttempts.windowEndsAt, now)))
    .get();
  return row !== undefined;
}

/** Marks a subject for its rule's window, starting now. */
async function mark(db: Database, now: number, { id, rule }: Subject): Promise<void> {
  const windowEndsAt = now + rule.window;
  await db
    .insert(signInAttempts)
    .values({ subject: id, count: 0, windowEndsAt })
    .onConflictDoUpdate({ target: signInAttempts.subject, set: { windowEndsAt } });
}
