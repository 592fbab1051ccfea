import { and, desc, eq, inArray, ne, sql } from "drizzle-orm";
import type { ListedSession } from "../../contract/accounts.ts";
import { sessions, users } from "../../schema.ts";
import type { Io } from "../io.ts";
import { ApiError } from "../platform/errors.ts";
import { recordEvent } from "./security-events.ts";
import { activeSession } from "./sessions.ts";
import type { Session } from "./sessions.ts";

/** The active sessions of the account: the caller's first, then the most recently used. */
export async function listSessions({ db, now }: Io, current: Session): Promise<ListedSession[]> {
  const rows = await db
    .select({ session: sessions })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.userId, current.userId), activeSession(now)))
    .orderBy(desc(eq(sessions.id, current.id)), desc(sessions.lastUsedAt), desc(sessions.createdAt), desc(sessions.id));
  return rows.map(({ session: { id, browser, country, createdAt, lastUsedAt } }) => ({
    id,
    browser,
    country_code: country,
    created_at: new Date(createdAt).toISOString(),
    // Kept to the hour, which can be before a session of this hour began.
    last_used_at: new Date(Math.max(lastUsedAt, createdAt)).toISOString(),
    is_current: id === current.id,
  }));
}

/** Logs out: ends the session in every tab of its browser. */
export async function logOut(io: Io, { id, userId }: Session): Promise<void> {
  await io.db.delete(sessions).where(eq(sessions.id, id));
  recordEvent(io, userId, "log_out", { id });
}

/** Whether the caller's own session is still active: if two sessions end each other concurrently, one survives. */
function stillThere(current: Session) {
  return sql`exists (
    select 1 from ${sessions} as own join ${users} on ${users.id} = own.user_id
    where own.id = ${current.id} and own.epoch = ${users.sessionEpoch})`;
}

/**
 * Ends one session of the caller's account.
 * @returns how many ended: 0 if the account has no such session
 */
export async function endSession(io: Io, current: Session, id: string): Promise<number> {
  const own = and(eq(sessions.userId, current.userId), eq(sessions.id, id), stillThere(current));
  const ended = await io.db.delete(sessions).where(own).returning({ browser: sessions.browser });
  for (const { browser } of ended) recordEvent(io, current.userId, "session_ended", { id, name: browser });
  return ended.length;
}

/**
 * Ends every active session of the account except the caller's.
 * @returns how many ended
 * @throws ApiError 401 SESSION_EXPIRED when the caller's has ended in the meantime
 */
export async function endOtherSessions(io: Io, current: Session): Promise<number> {
  const { db, now } = io;
  const own = eq(sessions.userId, current.userId);
  const active = db
    .select({ id: sessions.id })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(own, activeSession(now)));
  const [ended, [left]] = await db.batch([
    db
      .delete(sessions)
      .where(and(ne(sessions.id, current.id), inArray(sessions.id, active), stillThere(current)))
      .returning({ id: sessions.id }),
    db
      .select({ id: sessions.id })
      .from(sessions)
      .where(and(own, eq(sessions.id, current.id), stillThere(current))),
  ]);
  if (left === undefined) throw new ApiError("SESSION_EXPIRED");
  if (ended.length > 0) recordEvent(io, current.userId, "other_sessions_ended");
  return ended.length;
}
