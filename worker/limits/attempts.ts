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
import { LIMITS } from "./table.ts";
import type { ExactLimit, GuessLimits, Limit, Who } from "./table.ts";

/** Whose attempts are counted toward a limit. */
export interface Subject {
  readonly limit: ExactLimit;
  /** Keyed hash of whom the limit counts. */
  readonly id: string;
}

/** What is left to the subject closest to its limit, or the limit that rejects the attempt. */
export type AttemptVerdict = Room | (NoRoom & { readonly limit: ExactLimit });

/** Whom a limit counts, as a keyed hash: limits never store addresses or accounts. */
export function limitSubject<By extends Who>(
  secret: string,
  { name, by }: Pick<Limit<By>, "name" | "by">,
  who: Readonly<Record<By, string>>,
): string {
  return keyedHash(secret, name, ...by.map((part) => who[part]));
}

/** A subject that can be counted but not read back. */
export function attemptSubject<By extends Who>(
  secret: string,
  limit: ExactLimit<By>,
  who: Readonly<Record<By, string>>,
): Subject {
  return { limit, id: limitSubject(secret, limit, who) };
}

/** A subject that has used up its limit. */
function anyFull(subjects: readonly Subject[], now: number): SQL | undefined {
  const { subject, count, windowEndsAt } = signInAttempts;
  return or(...subjects.map(({ id, limit }) => and(eq(subject, id), gte(count, limit.max), gt(windowEndsAt, now))));
}

/** When a window that starts now ends, in milliseconds since the Unix epoch. */
function windowEnd({ window, onTheHour }: ExactLimit, now: number): number {
  return onTheHour ? now - (now % window) + window : now + window;
}

/**
 * Counts one attempt against every subject, in one atomic step, unless one of them has used up its limit: a rejected
 * attempt counts for no one and writes nothing. `now` in milliseconds since the Unix epoch.
 * @param instead what a rejected attempt writes, where the time that writing takes must not tell
 */
export async function countAttempt(
  db: Database,
  now: number,
  subjects: readonly Subject[],
  instead: readonly Subject[] = [],
): Promise<AttemptVerdict> {
  let closest = { allowed: true as const, remaining: Infinity, resetSeconds: 0 };
  if (subjects.length === 0) return closest;
  const full = db.select().from(signInAttempts).where(anyFull(subjects, now));
  const rowOf = (ifFull: 0 | 1) => (subject: Subject) => [subject.id, windowEnd(subject.limit, now), ifFull];
  const windows = JSON.stringify([...subjects.map(rowOf(0)), ...instead.map(rowOf(1))]);
  const row = { subject: sql`value ->> 0`, count: 1, windowEndsAt: sql`value ->> 1` };
  const isOver = sql`${signInAttempts.windowEndsAt} <= ${now}`;
  const [rejecting, counted] = await db.batch([
    full,
    insertFrom(db, signInAttempts, row, sql`from json_each(${windows}) where value ->> 2 = exists ${full}`)
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
  for (const { id, limit } of subjects) {
    const over = rejecting.find(({ subject }) => subject === id);
    if (over !== undefined) return { allowed: false, limit, retryAfterSeconds: secondsOf(over.windowEndsAt) };
    const own = counted.find(({ subject }) => subject === id);
    if (own === undefined) continue;
    const remaining = limit.max - own.count;
    if (remaining < closest.remaining) {
      closest = { allowed: true, remaining, resetSeconds: secondsOf(own.windowEndsAt) };
    }
  }
  return closest;
}

/** Takes back an attempt that turned out not to count for these subjects. */
export async function refundAttempt(db: Database, subjects: readonly Subject[]): Promise<void> {
  const ids = subjects.map(({ id }) => id);
  await db
    .update(signInAttempts)
    .set({ count: sql`max(count - 1, 0)` })
    // Not `or`, which for no subject would be every row.
    .where(inArray(signInAttempts.subject, ids));
}

/** Forgets wrong guesses at a secret that has changed, and exempts the caller's address as one that guessed right. */
export async function forgetGuesses(
  { db, now, config, address }: Guesser,
  { perAccountAndAddress, perAccount, rightPerAccount, known }: GuessLimits,
  account: string,
): Promise<void> {
  const { current } = config.secrets.attempts;
  const who = { account, address };
  const subjects = [attemptSubject(current, perAccountAndAddress, who), attemptSubject(current, perAccount, who)];
  if (rightPerAccount !== undefined) subjects.push(attemptSubject(current, rightPerAccount, who));
  const ids = subjects.map(({ id }) => eq(signInAttempts.subject, id));
  await db.delete(signInAttempts).where(or(...ids));
  await mark(db, now, attemptSubject(current, known, who));
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
  { perAccountAndAddress, perAddress, perAccount, known: exempt, rightPerAccount, anyPerAddress }: GuessLimits,
  account: string,
): Promise<Guess> {
  const { current, retiring } = config.secrets.attempts;
  const who = { account, address };
  const known = attemptSubject(current, exempt, who);
  const marks = [known];
  if (retiring !== null) marks.push(attemptSubject(retiring, exempt, who));
  const wrong = [attemptSubject(current, perAccountAndAddress, who), attemptSubject(current, perAddress, who)];
  if (!(await isMarked(db, now, marks))) wrong.push(attemptSubject(current, perAccount, who));
  const right = rightPerAccount === undefined ? [] : [attemptSubject(current, rightPerAccount, who)];
  const any = anyPerAddress === undefined ? [] : [attemptSubject(current, anyPerAddress, who)];
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
  limit: ExactLimit<"account">,
  account: string,
): Promise<void> {
  const verdict = await countAttempt(db, now, [attemptSubject(config.secrets.attempts.current, limit, { account })]);
  if (!verdict.allowed) throw tooManyAttempts(verdict.retryAfterSeconds);
}

/**
 * What emails that anyone can request count by: their mailbox, under its owner's address and others. The others may use
 * half of the limit, so strangers who make them up leave the owner the rest. Both write two rows, so timing tells nothing.
 */
function mailSubjects(secret: string, limit: ExactLimit<"mailbox">, mailbox: string) {
  const half = Math.ceil(limit.max / 2);
  const all = attemptSubject(secret, limit, { mailbox });
  const owners = attemptSubject(secret, { ...limit, name: `${limit.name}-owner` }, { mailbox });
  const others = attemptSubject(secret, { ...limit, name: `${limit.name}-others`, max: half }, { mailbox });
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
  limit: ExactLimit<"mailbox">,
  address: { readonly email: string; readonly hasAccount: boolean; readonly isOwners: boolean },
): Promise<MailTurn> {
  const own = address.hasAccount ? limit : { ...limit, name: `${limit.name}-no-account` };
  const { current } = config.secrets.attempts;
  const mailbox = mailboxOf(address.email);
  const { all, owners, others } = mailSubjects(current, own, mailbox);
  // Budgets differ by case, so what is rejected must write as much as what isn't.
  const instead = ["nobody", "nothing"].map((name) => attemptSubject(current, { ...own, name }, { mailbox }));
  const verdict = await countAttempt(db, now, [address.isOwners ? owners : others, all], instead);
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
  const limits = [LIMITS.verificationMail, LIMITS.resetMail];
  const mailbox = mailboxOf(email);
  const ids = limits.flatMap((limit) => Object.values(mailSubjects(current, limit, mailbox)).map(({ id }) => id));
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

/** Marks a subject for its limit's window, starting now. */
async function mark(db: Database, now: number, { id, limit }: Subject): Promise<void> {
  const windowEndsAt = now + limit.window;
  await db
    .insert(signInAttempts)
    .values({ subject: id, count: 0, windowEndsAt })
    .onConflictDoUpdate({ target: signInAttempts.subject, set: { windowEndsAt } });
}
