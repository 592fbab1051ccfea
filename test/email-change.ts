import { expect } from "vitest";
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

    /** Changes an account's email, completely. */
    async change(token: string, email: string): Promise<void> {
      expect(await request(token, email)).toStrictEqual({ status: 202 });
      expect(await confirm(token, await linkTo(email))).toStrictEqual({ status: 200 });
    },
  };
}

export const DEAD_LINK: Outcome = { status: 400, code: "TOKEN_INVALID" };
