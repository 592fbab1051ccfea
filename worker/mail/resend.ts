import { MailRejected } from "./driver.ts";
import type { Mail, MailContext, MailDriver } from "./driver.ts";

const TIMEOUT_MS = 10_000;

/**
 * Client errors that mean "not now" rather than "never". A rejected key or domain is for the operator to fix, and the
 * email stays deliverable.
 */
const RETRIABLE = new Set([401, 403, 408, 425, 429]);

/** Resend's error for a try that arrived while an earlier one was in progress. */
const STILL_UNDER_WAY = "concurrent_idempotent_requests";

export interface ResendOptions {
  readonly apiKey: string;
  readonly endpoint: string;
  readonly from: string;
  readonly timeoutMs?: number;
}

/** The kind of error that stopped a request: its message could quote a header, and with it the API key. */
function kindOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return "unknown failure";
  const { code } = (thrown.cause ?? {}) as { code?: unknown };
  return typeof code === "string" && /^[A-Z_]{1,40}$/.test(code) ? `${thrown.name}, ${code}` : thrown.name;
}

/** The stable name of the error in a response's body. Its message may quote the address, so it is ignored. */
async function errorName(response: Response): Promise<string> {
  try {
    const { name } = (await response.json()) as { name?: unknown };
    return typeof name === "string" && /^[a-z_]{1,60}$/.test(name) ? name : "unnamed";
  } catch {
    return "unnamed";
  }
}

async function post(mail: Mail, { messageId }: MailContext, options: ResendOptions): Promise<Response> {
  const { to, subject, text, html } = mail;
  try {
    return await fetch(options.endpoint, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${options.apiKey}`,
        "Content-Type": "application/json",
        // Resend sends once per key, so a retry after a lost response is harmless.
        "Idempotency-Key": messageId,
      },
      body: JSON.stringify({ from: options.from, to, subject, text, html }),
      // A redirect would send the key to its target.
      redirect: "manual",
      signal: AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS),
    });
  } catch (error) {
    // oxlint-disable-next-line preserve-caught-error -- the original quotes headers
    throw new Error(`Resend did not respond (${kindOf(error)})`);
  }
}

/**
 * Sends through Resend's HTTP API. A client error is final, unless a later try can succeed.
 * https://resend.com/docs/api-reference/emails/send-email
 */
export function resendDriver(options: ResendOptions): MailDriver {
  return {
    async send(mail, context) {
      const response = await post(mail, context, options);
      if (response.ok) {
        await response.body?.cancel();
        return;
      }
      const { status } = response;
      const name = await errorName(response);
      const message = `Resend responded with ${status} (${name})`;
      const final = status >= 400 && status < 500 && !RETRIABLE.has(status) && name !== STILL_UNDER_WAY;
      throw final ? new MailRejected(message) : new Error(message);
    },
  };
}
