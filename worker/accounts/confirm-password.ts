import { eq } from "drizzle-orm";
import { RECENT_PASSWORD_MINUTES } from "../../contract/limits.ts";
import { sessions } from "../../schema.ts";
import type { Io } from "../io.ts";
import { ApiError } from "../platform/errors.ts";
import type { AccountRow } from "./accounts.ts";
import { change } from "./change.ts";
import { checkPassword } from "./password-check.ts";
import { issueSession } from "./sessions.ts";
import type { IssuedSession, Session } from "./sessions.ts";

/** @throws ApiError 400 WRONG_PASSWORD, never a 401, which would log the user out; 429 after too many. */
export async function requirePassword(io: Io, account: AccountRow, password: string): Promise<void> {
  const found = await checkPassword(io, { email: account.email, password, find: async () => account });
  if (found === null) throw new ApiError("WRONG_PASSWORD");
}

/** @throws ApiError 403 PASSWORD_REQUIRED when the session's password was given too long ago. */
export function requireRecentPassword({ now }: Pick<Io, "now">, { passwordAt }: Session): void {
  if (now - passwordAt > RECENT_PASSWORD_MINUTES * 60_000) throw new ApiError("PASSWORD_REQUIRED");
}

/**
 * Confirms the password again. The session continues under a new token; the old token stops working.
 * @throws ApiError as `requirePassword` and `change`
 */
export async function confirmPassword(io: Io, session: Session, password: string): Promise<IssuedSession> {
  const { db, now, config } = io;
  await requirePassword(io, session.account, password);
  const confirming = db.update(sessions).set({ passwordAt: now }).where(eq(sessions.id, session.id)).returning();
  const [[confirmed]] = await change(io, session, [confirming]);
  return issueSession(confirmed!, config.secrets.sessions.current);
}
