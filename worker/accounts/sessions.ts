import { and, desc, eq, gt, lt, notInArray, sql } from "drizzle-orm";
import { MAX_SESSIONS, SESSION_DAYS, SESSION_IDLE_HOURS } from "../../contract/limits.ts";
import { sessions, users } from "../../schema.ts";
import type { Io } from "../io.ts";
import { insertFrom } from "../platform/db.ts";
import type { Database } from "../platform/db.ts";
import { ApiError } from "../platform/errors.ts";
import { failureText, logLine } from "../platform/log.ts";
import { newId } from "../platform/random.ts";
import { DAY_MS, HOUR_MS } from "../platform/time.ts";
import type { AccountRow } from "./accounts.ts";
import { browserName } from "./device.ts";
import { readJwt, signJwt } from "./jwt.ts";
import { recordEvent } from "./security-events.ts";

const LIFETIME_MS = SESSION_DAYS * DAY_MS;

/** How long a session lasts without use, in milliseconds. */
export const SESSION_IDLE_MS = SESSION_IDLE_HOURS * HOUR_MS;

/** A session row. Times in milliseconds since the Unix epoch. */
export type SessionRow = typeof sessions.$inferSelect;

/** An active session and its account. */
export interface Session extends SessionRow {
  readonly account: AccountRow;
}

export interface IssuedSession {
  readonly token: string;
  /** The latest the session can end: ISO 8601, UTC. */
  readonly expires_at: string;
}

/**
 * The token of a session: a JWT (HS256) with issuer, audience, and expiry. It works until the password is confirmed
 * again.
 */
export async function issueSession(
  session: Pick<SessionRow, "id" | "userId" | "createdAt" | "passwordAt">,
  secret: string,
): Promise<IssuedSession> {
  const { id, userId, createdAt, passwordAt } = session;
  const expiresAt = Math.floor((createdAt + LIFETIME_MS) / 1000);
  const claims = { sub: userId, sid: id, password_at: passwordAt, iat: Math.floor(passwordAt / 1000), exp: expiresAt };
  const token = await signJwt("dashboard", claims, secret);
  return { token, expires_at: new Date(expiresAt * 1000).toISOString() };
}

/** Rounds a time down to the hour, in milliseconds since the Unix epoch. */
function hourOf(time: number): number {
  return time - (time % HOUR_MS);
}

/** Sessions active at a time; requires a join with `users`. */
export function activeSession(now: number) {
  return and(
    eq(sessions.epoch, users.sessionEpoch),
    gt(sessions.lastUsedAt, now - SESSION_IDLE_MS),
    gt(sessions.createdAt, now - LIFETIME_MS),
  );
}

/** Records that a session was used this hour. Concurrent requests write it once. */
async function touch(db: Database, id: string, hour: number): Promise<void> {
  try {
    await db
      .update(sessions)
      .set({ lastUsedAt: hour })
      .where(and(eq(sessions.id, id), lt(sessions.lastUsedAt, hour)));
  } catch (error) {
    logLine("warn", "session_not_touched", { message: failureText(error) });
  }
}

/** What a session's token says. Whether the session is active, only its row does. */
export type SessionToken = Pick<SessionRow, "id" | "passwordAt">;

/** Reads a token without I/O. @throws ApiError 401 for one that is not ours, or has expired */
export async function readSessionToken(
  { config, now }: Pick<Io, "config" | "now">,
  token: string,
): Promise<SessionToken> {
  const claims = await readJwt("dashboard", token, config.secrets.sessions, now);
  if (claims === "expired") throw new ApiError("SESSION_EXPIRED");
  const { sid, password_at: passwordAt }: Readonly<Record<string, unknown>> = claims === "invalid" ? {} : claims;
  if (typeof sid !== "string" || typeof passwordAt !== "number")
    throw new ApiError("UNAUTHENTICATED", { message: "The session token is invalid." });
  return { id: sid, passwordAt };
}

/**
 * The session of a token, in one statement. The first use in an hour is recorded in the background.
 * @throws ApiError 401 for a session that has ended
 */
export async function findSession(
  { db, now, waitUntil }: Pick<Io, "db" | "now" | "waitUntil">,
  { id, passwordAt }: SessionToken,
): Promise<Session> {
  const found = await db
    .select({ session: sessions, account: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, id), eq(sessions.passwordAt, passwordAt), activeSession(now)))
    .get();
  if (found === undefined) throw new ApiError("SESSION_EXPIRED");
  const hour = hourOf(now);
  if (found.session.lastUsedAt < hour) waitUntil(touch(db, id, hour));
  return { ...found.session, account: found.account };
}

/**
 * Starts a session for an account that has just given its password and any second factor. Over the session limit, the
 * least recently used ones end.
 */
export async function beginSession(
  io: Io,
  { id: userId, sessionEpoch: epoch }: Pick<AccountRow, "id" | "sessionEpoch">,
): Promise<IssuedSession> {
  const { db, config, now } = io;
  const { browser, country } = io.device() ?? { browser: browserName(undefined), country: null };
  const id = newId("ses");
  const kept = db
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(desc(sessions.lastUsedAt), desc(sessions.createdAt), desc(sessions.id))
    .limit(MAX_SESSIONS);
  await db.batch([
    // If the account's epoch has been raised since, the session starts out ended; if the account is gone, no row is
    // inserted.
    insertFrom(
      db,
      sessions,
      {
        id,
        userId: users.id,
        epoch,
        createdAt: now,
        lastUsedAt: hourOf(now),
        passwordAt: now,
        browser,
        country,
      },
      sql`from ${users} where ${users.id} = ${userId}`,
    ),
    db.delete(sessions).where(and(eq(sessions.userId, userId), notInArray(sessions.id, kept))),
  ]);
  recordEvent(io, userId, "log_in", { id });
  return issueSession({ id, userId, createdAt: now, passwordAt: now }, config.secrets.sessions.current);
}
