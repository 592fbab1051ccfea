import { eq } from "drizzle-orm";
import { expect } from "vitest";
import { emailTokens, passkeys, recoveryCodes, totp } from "../schema.ts";
import { hashToken } from "../worker/accounts/email-tokens.ts";
import type { Database } from "../worker/platform/db.ts";
import { newId } from "../worker/platform/random.ts";
import { tokenIn, waitForMail } from "./mailbox.ts";
import type { ReceivedMail } from "./mailbox.ts";
import { pathOf, post, send } from "./requests.ts";
import type { RunningWorker } from "./worker.ts";

/** A response's status, and its error code. */
export interface Outcome {
  readonly status: number;
  readonly code?: string;
}

/** A change of email as its owner makes it. */
export function emailChanges(worker: Pick<RunningWorker, "fetch">) {
  async function outcome(path: string, init: RequestInit): Promise<Outcome> {
    const response = await worker.fetch(path, init);
    const { code } = (await response.json()) as { code?: string };
    return { status: response.status, ...(code !== undefined && { code }) };
  }
  const request = (token: string, email: string) => outcome(pathOf("requestEmailChange"), post(token, { email }));
  const confirm = (session: string | null, mail: ReceivedMail) =>
    outcome(pathOf("confirmEmailChange"), post(session, { token: tokenIn(mail) }));
  const linkTo = (email: string) => waitForMail(worker, email, /^Confirm your new/);
  return {
    request,
    confirm,
    linkTo,
    cancel: (token: string) => outcome(pathOf("cancelEmailChange"), send("DELETE", token)),
    undo: (mail: ReceivedMail) => outcome(pathOf("undoEmailChange"), post(null, { token: tokenIn(mail) })),
    undoFor: (email: string) => waitForMail(worker, email, /email address was changed$/),

    /** Sets a new password with the link that an address got. */
    async resetPassword(email: string, password: string): Promise<number> {
      const token = tokenIn(await waitForMail(worker, email, /^Reset/));
      return (await worker.fetch(pathOf("executePasswordReset"), post(null, { token, new_password: password }))).status;
    },

    /** The kinds of an account's security events, and what they are about, newest first. */
    async events(token: string): Promise<string[]> {
      const response = await worker.fetch(pathOf("securityEvents"), send("GET", token));
      const { events: rows } = (await response.json()) as { events: { kind: string; about: string | null }[] };
      return rows.map(({ kind, about }) => (about === null ? kind : `${kind} ${about}`));
    },

    /** Changes an account's email, completely. */
    async change(token: string, email: string): Promise<void> {
      expect(await request(token, email)).toStrictEqual({ status: 202 });
      expect(await confirm(token, await linkTo(email))).toStrictEqual({ status: 200 });
    },
  };
}

/** Lets the link of an email expire. */
export async function expireLink(db: Database, mail: ReceivedMail): Promise<void> {
  await db
    .update(emailTokens)
    .set({ expiresAt: Date.now() - 1 })
    .where(eq(emailTokens.hash, hashToken(tokenIn(mail))));
}

export const DEAD_LINK: Outcome = { status: 400, code: "TOKEN_INVALID" };

/** Adds an authenticator app, a passkey, and a recovery code to an account. */
export async function addFactors(db: Database, userId: string, at: number): Promise<void> {
  const credential = { credentialId: userId, publicKey: "x", counter: 0, transports: [] };
  await db.insert(totp).values({ userId, secret: "x", confirmedAt: at });
  await db.insert(passkeys).values({ id: newId("psk"), userId, name: "A passkey", createdAt: at, ...credential });
  await db.insert(recoveryCodes).values({ userId, hash: "x", createdAt: at });
}

/** How many factors an account has. */
export async function factorsOf(db: Database, userId: string) {
  return {
    totp: await db.$count(totp, eq(totp.userId, userId)),
    passkeys: await db.$count(passkeys, eq(passkeys.userId, userId)),
    codes: await db.$count(recoveryCodes, eq(recoveryCodes.userId, userId)),
  };
}
