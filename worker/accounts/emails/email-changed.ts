import { formatUtcTime } from "../../../contract/format.ts";
import { UNDO_DAYS } from "../../../contract/limits.ts";
import type { Io } from "../../io.ts";
import { requireAbout } from "../../mail/email.ts";
import type { Email } from "../../mail/email.ts";
import { loadAddressedLink } from "./change-email.ts";
import type { AddressedLink } from "./change-email.ts";

/** For the previous address: the link that undoes the change. About the row of its token. */
export const emailChangedEmail: Email<Pick<Io, "db" | "now" | "config">, AddressedLink> = {
  purpose: "undo_email_change",
  part: "undo",
  load: (io, message) => loadAddressedLink(io, "undo_email_change", requireAbout(message)),
  to: ({ email }) => email,
  write: ({ token, expiresAt }, origin) => ({
    subject: "Your Checkline email address was changed",
    preheader: "If it was you, no action is needed. If not, undo it.",
    heading: "Your email address was changed",
    before: [
      "Your Checkline account has a new email address. This one no longer works for logging in and gets no more emails about the account. If it was you, no action is needed.",
      {
        lead: "If this wasn't you,",
        text: `undo the change. The account gets this address back, everyone is logged out, and you choose a new password. API keys, authenticator apps, passkeys, and recovery codes stop working if they were added since someone logged in before the change, at most ${UNDO_DAYS} days earlier.`,
      },
    ],
    button: { label: "Undo the change", href: `${origin}/undo-email-change?token=${token}` },
    after: [
      `The link works once, until ${formatUtcTime(expiresAt)}. Don't share it; anyone who has it can undo the change.`,
    ],
  }),
};
