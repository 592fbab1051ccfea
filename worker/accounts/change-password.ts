import type { Queue } from "@cloudflare/workers-types";
import { and, eq, sql } from "drizzle-orm";
import { users } from "../../schema.ts";
import type { Database } from "../db.ts";
import { ApiError } from "../api-error.ts";
import type { Secrets } from "../config.ts";
import type { MailMessage } from "../mail/messages.ts";
import { sendNotice } from "../mail/send-notice.ts";
import { checkPassword } from "./check-password.ts";
import type { AccountRow } from "./find-account.ts";
import { hashPassword } from "./password.ts";
import { useUpResetLinks } from "./password-reset.ts";
import { issueSession } from "./sessions.ts";
import type { IssuedSession } from "./sessions.ts";

interface Prompt {
  readonly db: Database;
  readonly now: number;
  readonly secrets: Secrets;
  readonly address: string;
  readonly account: AccountRow;
}

/** @throws ApiError 400 WRONG_PASSWORD, never a 401, which would sign the user out; 429 after too many. */
export async function confirmPassword(prompt: Prompt, password: string): Promise<void> {
  const { account } = prompt;
  const found = await checkPassword({ ...prompt, email: account.email, password, find: async () => account });
  if (found === null) throw new ApiError("WRONG_PASSWORD");
}

/**
 * Ends every session of the account, and begins a new one for who asked.
 * @throws ApiError 401 SESSION_EXPIRED when the account is gone by now.
 */
export async function revokeSessions(input: Omit<Prompt, "address">): Promise<IssuedSession> {
  const { db, now, secrets, account } = input;
  const [raised] = await db
    .update(users)
    .set({ sessionEpoch: sql`${users.sessionEpoch} + 1` })
    .where(eq(users.id, account.id))
    .returning({ epoch: users.sessionEpoch });
  if (raised === undefined) throw new ApiError("SESSION_EXPIRED");
  return issueSession({ userId: account.id, epoch: raised.epoch }, secrets.current, now);
}

/**
 * Changes the password, ends every session and every reset link that is under way, and begins a new session for who asked.
 * @throws ApiError as `confirmPassword`.
 */
export async function changePassword(
  input: Prompt & {
    readonly oldPassword: string;
    readonly newPassword: string;
    readonly mail: Pick<Queue<MailMessage>, "send">;
  },
): Promise<IssuedSession> {
  const { db, now, secrets, account, oldPassword, newPassword, mail } = input;
  await confirmPassword(input, oldPassword);
  const passwordHash = await hashPassword(newPassword);
  const [[changed]] = await db.batch([
    db
      .update(users)
      .set({ passwordHash, sessionEpoch: sql`${users.sessionEpoch} + 1` })
      // Of two changes at once, the second no longer knows the password it was confirmed with.
      .where(and(eq(users.id, account.id), eq(users.passwordHash, account.passwordHash)))
      .returning({ epoch: users.sessionEpoch }),
    useUpResetLinks(db, { userId: account.id, passwordHash, now }),
  ]);
  if (changed === undefined) throw new ApiError("WRONG_PASSWORD");
  await sendNotice({ db, mail, now }, { user_id: account.id, purpose: "password_changed" });
  return issueSession({ userId: account.id, epoch: changed.epoch }, secrets.current, now);
}
