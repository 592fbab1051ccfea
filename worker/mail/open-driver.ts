import type { KVNamespace, SendEmail } from "@cloudflare/workers-types";
import type { MailConfig } from "../platform/config.ts";
import { cloudflareDriver } from "./cloudflare.ts";
import type { MailDriver } from "./driver.ts";
import { mailboxDriver } from "./mailbox.ts";
import { resendDriver } from "./resend.ts";

/** What drivers send through. */
interface MailBindings {
  readonly EDGE: KVNamespace;
  readonly SEND_EMAIL?: SendEmail;
}

/**
 * Opens the operator's configured driver.
 * @throws Error if what it needs is missing
 */
export function openMailDriver({ EDGE, SEND_EMAIL }: MailBindings, { driver, from, resend }: MailConfig): MailDriver {
  if (driver === "mailbox") return mailboxDriver(EDGE);
  if (driver === "cloudflare") return cloudflareDriver(SEND_EMAIL, from);
  if (resend === null) throw new Error("MAIL_DRIVER is resend, but no API key is configured");
  return resendDriver({ ...resend, from });
}
