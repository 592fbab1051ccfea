import { MailRejected } from "./driver.ts";
import type { Mail, MailContext, MailDriver } from "./driver.ts";

const TIMEOUT_MS = 10_000;

/** Client errors that say "not now" and not "never". A key or a domain that is refused is the operator's to fix, not the email's end. */
const RETRIABLE = new Set([401, 403, 408, 425, 429]);

/** Resend's name for a try that arrived while an earlier one was still under way. */
const STILL_UNDER_WAY = "concurrent_idempotent_requests";

export interface ResendOptions {
  readonly apiKey: string;
  readonly endpoint: string;
  readonly from: string;
  readonly timeoutMs?: number;
}

/** What stopped a request, by the error's kind: its message could quote a header, and with it the API key. */
function kindOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return "unknown failure";
  const { code } = (thrown.cause ?? {}) as { code?: unknown };
  return typeof code === "string" && /^[A-Z_]{1,40}$/.test(code) ? `${thrown.name}, ${code}` : thrown.name;
}

/** The stable name of the error that a response's body tells; its message, which may quote the address, is left alone. */
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
        // Resend sends once for a key, so a try whose answer got lost does no harm.
        "Idempotency-Key": messageId,
      },
      body: JSON.stringify({ from: options.from, to, subject, text, html }),
      // A redirect would carry the key to wherever it points.
      redirect: "manual",
      signal: AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS),
    });
  } catch (error) {
    // oxlint-disable-next-line preserve-caught-error -- the original quotes headers
    throw new Error(`Resend did not answer (${kindOf(error)})`);
  }
}

/**
 * Sends through Resend's HTTP API. A client error is final, except those that a later try can fix.
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
      const message = `Resend answered ${status} (${name})`;
      const final = status >= 400 && status < 500 && !RETRIABLE.has(status) && name !== STILL_UNDER_WAY;
      throw final ? new MailRejected(message) : new Error(message);
    },
  };
}
