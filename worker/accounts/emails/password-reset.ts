import type { Io } from "../../io.ts";
import { requireAbout } from "../../mail/email.ts";
import type { Email } from "../../mail/email.ts";
import { activateToken } from "../email-tokens.ts";

/** The link that sets a new password. About the row of its token. */
export const passwordResetEmail: Email<Pick<Io, "db" | "now" | "config">, string> = {
  purpose: "reset_password",
  provesAddress: true,
  load: (io, message) => activateToken(io, requireAbout(message)),
  write: (token, origin) => ({
    subject: "Reset your Checkline password",
    preheader: "Choose a new password. The link works for one hour.",
    heading: "Choose a new password",
    before: ["Someone, hopefully you, asked to reset your Checkline password."],
    button: { label: "Choose a new password", href: `${origin}/reset-password?token=${token}` },
    after: [
      "The link works once and expires in one hour. A new password logs you out everywhere; your API keys keep working.",
      {
        lead: "If this wasn't you,",
        text: "ignore this email, and your password stays the same. Don't share the link; anyone who has it can change your password.",
      },
    ],
  }),
};
