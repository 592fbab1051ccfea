import { and, eq, gt, gte, inArray, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { signInAttempts } from "../../schema.ts";
import type { Config } from "../platform/config.ts";
import { insertFrom } from "../platform/db.ts";
import type { Database } from "../platform/db.ts";
import { tooManyAttempts } from "../platform/errors.ts";
import { keyedHash } from "../platform/hash.ts";
import { mailboxOf } from "./mailbox.ts";
import type { NoRoom, Room } from "./rate/headers.ts";
import { MAIL_RULES } from "./rules.ts";
import type { AttemptRule, GuessRules } from "./rules.ts";

/** What attempts are counted by: a rule and its subject. */
export interface Subject {
  readonly rule: AttemptRule;
  /** Keyed hash of an account, an address, or both. */
  readonly id: string;
}

/** What is left to the subject closest to its limit, or the rule that rejects the attempt. */
export type AttemptVerdict = Room | (NoRoom & { readonly rule: AttemptRule });

/** A subject that can be counted but not read back: limits never store addresses or accounts. */
export function attemptSubject(secret: string, rule: AttemptRule, ...about: readonly string[]): Subject {
  return { rule, id: keyedHash(secret, rule.name, ...about) };
}

/** A subject that has used up its limit. */
function anyFull(subjects: readonly Subject[], now: number): SQL | undefined {
  const { subject, count, windowEndsAt } = signInAttempts;
  return or(...subjects.map(({ id, rule }) => and(eq(subject, id), gte(count, rule.limit), gt(windowEndsAt, now))));
}

/**
 * Counts one attempt against every subject, in one atomic step, unless one of them has used up its limit: a rejected
 * attempt counts for no one and writes nothing. `now` in milliseconds since the Unix epoch.
 */
export async function countAttempt(db: Database, now: number, subjects: readonly Subject[]): Promise<AttemptVerdict> {
  let closest = { allowed: true as const, remaining: Infinity, resetSeconds: 0 };
  if (subjects.length === 0) return closest;
  const full = db.select().from(signInAttempts).where(anyFull(subjects, now));
  const windows = JSON.stringify(subjects.map(({ id, rule }) => [id, now + rule.window]));
  const row = { subject: sql`value ->> 0`, count: 1, windowEndsAt: sql`value ->> 1` };
  const isOver = sql`${signInAttempts.windowEndsAt} <= ${now}`;
  const [rejecting, counted] = await db.batch([
    full,
    insertFrom(db, signInAttempts, row, sql`from json_each(${windows}) where not exists ${full}`)
      .onConflictDoUpdate({
        target: signInAttempts.subject,
        set: {
          count: sql`case when ${isOver} then 1 else ${signInAttempts.count} + 1 end`,
          windowEndsAt: sql`case when ${isOver} then excluded.window_ends_at else ${signInAttempts.windowEndsAt} end`,
        },
      })
      .returning(),
  ]);
  const secondsOf = (windowEndsAt: number) => Math.max(1, Math.ceil((windowEndsAt - now) / 1000));
  for (const { id, rule } of subjects) {
    const over = rejecting.find(({ subject }) => subject === id);
    if (over !== undefined) return { allowed: false, rule, retryAfterSeconds: secondsOf(over.windowEndsAt) };
    const own = counted.find(({ subject }) => subject === id);
    if (own === undefined) continue;
    const remaining = rule.limit - own.count;
    if (remaining < closest.remaining) {
      closest = { allowed: true, remaining, resetSeconds: secondsOf(own.windowEndsAt) };
    }
  }
  return closest;
}

/** Takes back an attempt that turned out not to count for these subjects. */
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
  { perAccountAndAddress, perAccount, rightPerAccount, known }: GuessRules,
  account: string,
): Promise<void> {
  const { current } = config.secrets.attempts;
  const subjects = [
    attemptSubject(current, perAccountAndAddress, account, address),
    attemptSubject(current, perAccount, account),
  ];
  if (rightPerAccount !== undefined) subjects.push(attemptSubject(current, rightPerAccount, account));
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

/** What to call once a guess has been checked. */
interface Guess {
  /** Counts it as a right one, and marks the address. */
  wasRight(): Promise<void>;
  /** Counts it as a wrong one. */
  wasWrong(): Promise<void>;
}

/**
 * Counts a guess at an account's secret before it is checked, as both a right and a wrong one. An address that was
 * right before is exempt from the limit on wrong ones from anywhere, so guessers can't lock the owner out.
 * @param account its email, in lowercase
 * @throws ApiError 429 with Retry-After after too many
 */
export async function countGuess(
  { db, now, config, address }: Guesser,
  { perAccountAndAddress, perAddress, perAccount, known: rule, rightPerAccount, anyPerAddress }: GuessRules,
  account: string,
): Promise<Guess> {
  const { current, retiring } = config.secrets.attempts;
  const known = attemptSubject(current, rule, account, address);
  const marks = [known];
  if (retiring !== null) marks.push(attemptSubject(retiring, rule, account, address));
  const wrong = [
    attemptSubject(current, perAccountAndAddress, account, address),
    attemptSubject(current, perAddress, address),
  ];
  if (!(await isMarked(db, now, marks))) wrong.push(attemptSubject(current, perAccount, account));
  const right = rightPerAccount === undefined ? [] : [attemptSubject(current, rightPerAccount, account)];
  const any = anyPerAddress === undefined ? [] : [attemptSubject(current, anyPerAddress, address)];
  const verdict = await countAttempt(db, now, [...wrong, ...right, ...any]);
  if (!verdict.allowed) throw tooManyAttempts(verdict.retryAfterSeconds);
  return {
    async wasRight() {
      await Promise.all([refundAttempt(db, wrong), mark(db, now, known)]);
    },
    async wasWrong() {
      if (right.length > 0) await refundAttempt(db, right);
    },
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
 * What emails that anyone can request count by: their mailbox, under its owner's address and others. The others may use
 * half of the limit, so strangers who make them up leave the owner the rest. Both write two rows, so timing tells nothing.
 */
function mailSubjects(secret: string, rule: AttemptRule, mailbox: string, ...about: readonly string[]) {
  const half = Math.ceil(rule.limit / 2);
  const all = attemptSubject(secret, rule, mailbox, ...about);
  const owners = attemptSubject(secret, { ...rule, name: `${rule.name}-owner` }, mailbox, ...about);
  const others = attemptSubject(secret, { ...rule, name: `${rule.name}-others`, limit: half }, mailbox, ...about);
  return { all, owners, others };
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
 * @param isOwners whether the mailbox's owner uses this address rather than another spelling
 */
export async function mayEmail(
  { db, now, config }: { readonly db: Database; readonly now: number; readonly config: Config },
  rule: AttemptRule,
  address: { readonly email: string; readonly hasAccount: boolean; readonly isOwners: boolean },
): Promise<MailTurn> {
  const about = address.hasAccount ? [] : ["no account"];
  const { current } = config.secrets.attempts;
  const { all, owners, others } = mailSubjects(current, rule, mailboxOf(address.email), ...about);
  const verdict = await countAttempt(db, now, [address.isOwners ? owners : others, all]);
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
  const ids = rules.flatMap((rule) => Object.values(mailSubjects(current, rule, mailboxOf(email))).map(({ id }) => id));
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
