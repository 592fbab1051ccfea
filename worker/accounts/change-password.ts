import type { Queue } from "@cloudflare/workers-types";
import { and, eq, sql } from "drizzle-orm";
import { users } from "../../schema.ts";
import type { Database } from "../db.ts";
import { ApiError } from "../http/errors.ts";
import type { MailMessage } from "../mail/messages.ts";
import { checkPassword } from "./check-password.ts";
import type { AccountRow } from "./find-account.ts";
import { hashPassword } from "./password.ts";
import { issueSession } from "./sessions.ts";
import type { IssuedSession } from "./sessions.ts";

interface Prompt {
  readonly db: Database;
  readonly now: number;
  readonly secret: string;
  readonly address: string;
  readonly account: AccountRow;
}

/** @throws ApiError 400 WRONG_PASSWORD, never a 401, which would sign the user out; 429 after too many. */
export async function confirmPassword(prompt: Prompt, password: string): Promise<void> {
  const { account } = prompt;
  const found = await checkPassword({ ...prompt, email: account.email, password, find: async () => account });
  if (found === null) throw new ApiError("WRONG_PASSWORD");
}

/** Ends every session of the account, and begins a new one for who asked. */
export async function revokeSessions(input: Omit<Prompt, "address">): Promise<IssuedSession> {
  const { db, now, secret, account } = input;
  const raised = await db
    .update(users)
    .set({ sessionEpoch: sql`${users.sessionEpoch} + 1` })
    .where(eq(users.id, account.id))
    .returning({ epoch: users.sessionEpoch })
    .get();
  return issueSession({ userId: account.id, epoch: raised.epoch }, secret, now);
}

/** Changes the password, ends every session and begins a new one for who asked. @throws ApiError as `confirmPassword`. */
export async function changePassword(
  input: Prompt & {
    readonly oldPassword: string;
    readonly newPassword: string;
    readonly mail: Pick<Queue<MailMessage>, "send">;
  },
): Promise<IssuedSession> {
  const { db, account, oldPassword, newPassword, mail } = input;
  await confirmPassword(input, oldPassword);
  const changed = await db
    .update(users)
    .set({ passwordHash: await hashPassword(newPassword) })
    // Of two changes at once, the second no longer knows the password it was confirmed with.
    .where(and(eq(users.id, account.id), eq(users.passwordHash, account.passwordHash)))
    .returning({ id: users.id });
  if (changed.length === 0) throw new ApiError("WRONG_PASSWORD");
  const session = await revokeSessions(input);
  await mail.send({ user_id: account.id, purpose: "password_changed" });
  return session;
}
