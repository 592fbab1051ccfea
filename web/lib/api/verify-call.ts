import { verification } from "../../../contract/endpoints/verification.ts";
import type { Acceptance } from "../../../contract/verification.ts";
import { jsonHtml } from "../json-html.ts";
import { send } from "./send.ts";
import type { Reply } from "./send.ts";

/** A response to the verify call; its text is indented if it is JSON. */
export interface VerifyAnswer extends Reply {
  /** The text in the colors of the code samples. */
  readonly html: string;
}

export interface VerifyInput {
  readonly number: string;
  /** The conditions; `accepted` is null without them. */
  readonly conditions?: Acceptance | undefined;
}

/**
 * Verifies a number like a program, with only the API key: a rejected key ends no session.
 * @returns null without a response
 * @throws the signal's reason when it was aborted
 */
export async function callVerify(
  key: string,
  { number, conditions }: VerifyInput,
  signal: AbortSignal,
): Promise<VerifyAnswer | null> {
  try {
    const reply = await send(verification.verify, { number, ...conditions }, { bearer: key, signal, timeout: 15_000 });
    const text = reply.body === null ? reply.text : JSON.stringify(reply.body, null, 2);
    return { ...reply, text, html: jsonHtml(text) };
  } catch {
    signal.throwIfAborted();
    return null;
  }
}
