import { service } from "../../../contract/endpoints/service.ts";
import { verification } from "../../../contract/endpoints/verification.ts";
import type { KeyMode } from "../../../contract/limits.ts";
import type { Acceptance } from "../../../contract/verification.ts";
import { jsonHtml } from "../json-html.ts";
import { sendWithSession } from "./call.ts";
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

/** What verifies: an API key, or this page's session in one of the modes. */
export type Credential = { readonly key: string } | { readonly session: KeyMode };

/** The same, or without either: a number of the sandbox, or the demo, which verifies any as a live key would. */
export type CredentialOrNone = Credential | "sandbox" | "demo";

const TIMEOUT_MS = 15_000;

/** With only the API key, like a program: a rejected key ends no session. */
function sendWith(
  credential: CredentialOrNone,
  { number, conditions }: VerifyInput,
  signal?: AbortSignal,
): Promise<Reply> {
  const options = { ...(signal && { signal }), timeout: TIMEOUT_MS };
  if (credential === "sandbox") return send(service.demoLookup, { number, ...conditions, sandbox: true }, options);
  if (credential === "demo") return send(service.demoLookup, { number, ...conditions }, options);
  if ("key" in credential) {
    return send(verification.verify, { number, ...conditions }, { ...options, bearer: credential.key });
  }
  const endpoint = credential.session === "test" ? verification.verifyInSandbox : verification.verifyLive;
  return sendWithSession(endpoint, { number, ...conditions }, options);
}

/**
 * Verifies a number.
 * @returns null without a response
 * @throws the signal's reason when it was aborted
 */
export async function callVerify(
  credential: CredentialOrNone,
  input: VerifyInput,
  signal?: AbortSignal,
): Promise<VerifyAnswer | null> {
  try {
    const reply = await sendWith(credential, input, signal);
    const text = reply.body === null ? reply.text : JSON.stringify(reply.body, null, 2);
    return { ...reply, text, html: jsonHtml(text) };
  } catch {
    signal?.throwIfAborted();
    return null;
  }
}
