import type { MailConfig } from "../config.ts";
import type { Bindings } from "../env.ts";
import { cloudflareDriver } from "./cloudflare.ts";
import { mailboxDriver } from "./mailbox.ts";
import { resendDriver } from "./resend.ts";

export { MailRejected } from "./rejected.ts";

/** A mail that is ready to leave. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface MailContext {
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  readonly userId: string;
  /** The queue's message: the same for every try to send this mail. */
  readonly messageId: string;
}

/**
 * A way for mail to leave.
 * @throws MailRejected when another try could not succeed, any other error when it could. Neither names the address.
 */
export interface MailDriver {
  send(mail: Mail, context: MailContext): Promise<void>;
}

/** Opens the driver that the operator has chosen. */
export function openMailDriver(bindings: Pick<Bindings, "EDGE" | "SEND_EMAIL">, mail: MailConfig): MailDriver {
  if (mail.driver === "mailbox") return mailboxDriver(bindings.EDGE);
  if (mail.driver === "cloudflare") return cloudflareDriver(bindings.SEND_EMAIL, mail.from);
  if (mail.resend === null) throw new Error("MAIL_DRIVER is resend, but no API key is configured");
  return resendDriver({ ...mail.resend, from: mail.from });
}
