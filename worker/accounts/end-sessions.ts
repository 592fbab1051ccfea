import { and, desc, eq, inArray, ne } from "drizzle-orm";
import type { ListedSession } from "../../contract/accounts.ts";
import { sessions, users } from "../../schema.ts";
import type { Io } from "../io.ts";
import { change } from "./change.ts";
import { recordEvent } from "./security-events.ts";
import { activeSession } from "./sessions.ts";
import type { Session } from "./sessions.ts";

/** The active sessions of an account: the caller's first, if any, then the most recently used. */
export async function listSessions({ db, now }: Io, userId: string, current: Session | null): Promise<ListedSession[]> {
  const currentId = current?.id ?? "";
  const rows = await db
    .select({ session: sessions })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.userId, userId), activeSession(now)))
    .orderBy(desc(eq(sessions.id, currentId)), desc(sessions.lastUsedAt), desc(sessions.createdAt), desc(sessions.id));
  return rows.map(({ session: { id, browser, country, createdAt, lastUsedAt } }) => ({
    id,
    browser,
    country_code: country,
    created_at: new Date(createdAt).toISOString(),
    // Kept to the hour, which can be before a session of this hour began.
    last_used_at: new Date(Math.max(lastUsedAt, createdAt)).toISOString(),
    is_current: id === currentId,
  }));
}

/** Logs out: ends the session in every tab of its browser. @throws ApiError as `change` */
export async function logOut(io: Io, session: Session): Promise<void> {
  const { id, userId } = session;
  await change(io, session, [io.db.delete(sessions).where(eq(sessions.id, id))]);
  recordEvent(io, userId, "log_out", { id });
}

/**
 * Ends one session of the caller's account. If two end each other concurrently, one survives.
 * @returns how many ended: 0 if the account has no such session
 * @throws ApiError as `change`
 */
export async function endSession(io: Io, current: Session, id: string): Promise<number> {
  const own = and(eq(sessions.userId, current.userId), eq(sessions.id, id));
  const ending = io.db.delete(sessions).where(own).returning({ browser: sessions.browser });
  const [ended] = await change(io, current, [ending]);
  for (const { browser } of ended) recordEvent(io, current.userId, "session_ended", { id, name: browser });
  return ended.length;
}

/**
 * Ends every active session of the account except the caller's.
 * @returns how many ended
 * @throws ApiError as `change`
 */
export async function endOtherSessions(io: Io, current: Session): Promise<number> {
  const { db, now } = io;
  const active = db
    .select({ id: sessions.id })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.userId, current.userId), activeSession(now)));
  const [ended] = await change(io, current, [
    db
      .delete(sessions)
      .where(and(ne(sessions.id, current.id), inArray(sessions.id, active)))
      .returning({ id: sessions.id }),
  ]);
  if (ended.length > 0) recordEvent(io, current.userId, "other_sessions_ended");
  return ended.length;
}
