import { formatUtcTime } from "../../../contract/format.ts";
import type { Io } from "../../io.ts";
import { requireAbout } from "../../mail/email.ts";
import type { Email } from "../../mail/email.ts";
import { activateToken } from "../email-tokens.ts";
import type { ActiveToken } from "../email-tokens.ts";

/** The link that sets a new password. About the row of its token. */
export const passwordResetEmail: Email<Pick<Io, "db" | "now" | "config">, ActiveToken> = {
  purpose: "reset_password",
  part: "requested",
  load: (io, message) => activateToken(io, "reset_password", requireAbout(message)),
  write: ({ token, expiresAt }, origin) => ({
    subject: "Reset your Checkline password",
    preheader: "Choose a new password with the link in this email.",
    heading: "Choose a new password",
    before: ["We got a request to reset your Checkline password."],
    button: { label: "Choose a new password", href: `${origin}/reset-password?token=${token}` },
    after: [
      `The link works once, until ${formatUtcTime(expiresAt)}. A new password logs you out everywhere; your API keys keep working.`,
      {
        lead: "If this wasn't you,",
        text: "ignore this email, and your password stays the same. Don't share the link; anyone who has it can change your password.",
      },
    ],
  }),
};
