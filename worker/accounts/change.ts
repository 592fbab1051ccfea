import { and, eq, isNull, notExists, sql } from "drizzle-orm";
import { SESSION_HAS_ENDED, sessionGuard, sessions, users } from "../../schema.ts";
import type { Io } from "../io.ts";
import { batchOf, insertFrom } from "../platform/db.ts";
import type { Results, Statements } from "../platform/db.ts";
import { ApiError } from "../platform/errors.ts";
import { failureText } from "../platform/log.ts";
import type { SessionToken } from "./sessions.ts";

/** The statement that fails if the token's session has ended, and otherwise writes nothing. */
function guard({ db }: Pick<Io, "db">, { id, passwordAt }: SessionToken) {
  const active = db
    .select({ id: sessions.id })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        eq(sessions.id, id),
        eq(sessions.passwordAt, passwordAt),
        eq(sessions.epoch, users.sessionEpoch),
        isNull(users.suspendedAt),
      ),
    );
  return insertFrom(db, sessionGuard, { ended: 1 }, sql`where ${notExists(active)}`);
}

/**
 * Runs the statements of a change in one step, if the session that causes it is still active: it may have ended since
 * it was read. What the change leads to outside the database begins afterward.
 * @param session null for an operator or a script
 * @returns the statements' results, by position or name
 * @throws ApiError 401 SESSION_EXPIRED; then nothing has changed
 */
export async function change<const S extends Statements>(
  io: Pick<Io, "db">,
  session: SessionToken | null,
  statements: S,
): Promise<Results<S>> {
  if (session === null) return batchOf(io.db, statements);
  try {
    return await batchOf(io.db, statements, [guard(io, session)]);
  } catch (error) {
    if (failureText(error).includes(`CHECK constraint failed: ${SESSION_HAS_ENDED}`))
      throw new ApiError("SESSION_EXPIRED");
    throw error;
  }
}
