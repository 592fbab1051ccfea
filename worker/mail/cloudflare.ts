import type { SendEmail } from "@cloudflare/workers-types";
import { MailRejected } from "./driver.ts";
import type { MailDriver } from "./driver.ts";

/** Email service codes that blame the email or its recipient. Others, such as an unverified sender, can be fixed. */
const FINAL = new Set([
  "E_CONTENT_TOO_LARGE",
  "E_FIELD_MISSING",
  "E_RECIPIENT_NOT_ALLOWED",
  "E_RECIPIENT_SUPPRESSED",
  "E_TOO_MANY_RECIPIENTS",
  "E_VALIDATION_ERROR",
]);

/** Parses `Name <address>` for the binding; a bare address is unchanged. */
function sender(from: string): string | { name: string; email: string } {
  const [, name, email] = /^\s*(.*?)\s*<([^<>]+)>\s*$/.exec(from) ?? [];
  if (email === undefined) return from;
  return name ? { name: name.replace(/^"(.*)"$/, "$1"), email } : email;
}

function codeOf(thrown: unknown): string {
  const { code } = (thrown instanceof Object ? thrown : {}) as { code?: unknown };
  return typeof code === "string" && /^[A-Z_]{1,60}$/.test(code) ? code : "no code";
}

/**
 * Sends through the `send_email` binding. Its error messages may quote the recipient, so only their codes are passed
 * on.
 */
export function cloudflareDriver(binding: SendEmail | undefined, from: string): MailDriver {
  if (binding === undefined) throw new Error("MAIL_DRIVER is cloudflare, but SEND_EMAIL is not bound");
  return {
    async send({ to, subject, text, html }) {
      try {
        await binding.send({ from: sender(from), to, subject, text, html });
      } catch (error) {
        const code = codeOf(error);
        const message = `The email service rejected it (${code})`;
        // oxlint-disable-next-line preserve-caught-error -- the original may quote the address
        throw FINAL.has(code) ? new MailRejected(message) : new Error(message);
      }
    },
  };
}
