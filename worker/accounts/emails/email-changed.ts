import type { Io } from "../../io.ts";
import { requireAbout } from "../../mail/email.ts";
import type { Email } from "../../mail/email.ts";
import { loadAddressedLink } from "./change-email.ts";

/** For the previous address: the link that undoes the change. About the row of its token. */
export const emailChangedEmail: Email<
  Pick<Io, "db" | "now" | "config">,
  { readonly token: string; readonly email: string }
> = {
  purpose: "undo_email_change",
  // Never waits behind notices: someone who took the account over could have used those up.
  provesAddress: true,
  isRequested: true,
  load: (io, message) => loadAddressedLink(io, "undo_email_change", requireAbout(message)),
  to: ({ email }) => email,
  write: ({ token }, origin) => ({
    subject: "Your Checkline email address was changed",
    preheader: "If it was you, no action is needed. If not, undo it within 72 hours.",
    heading: "Your email address was changed",
    before: [
      "Your Checkline account has a new email address. This one no longer works for logging in and gets no more emails about the account. If it was you, no action is needed.",
      {
        lead: "If this wasn't you,",
        text: "undo the change. The account gets this address back, everyone is logged out, API keys, authenticator apps, and passkeys added since stop working, and you choose a new password.",
      },
    ],
    button: { label: "Undo the change", href: `${origin}/undo-email-change?token=${token}` },
    after: ["The link works once, within 72 hours. Don't share it; anyone who has it can undo the change."],
  }),
};
