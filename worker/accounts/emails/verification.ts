import type { Io } from "../../io.ts";
import { requireAbout } from "../../mail/email.ts";
import type { Email } from "../../mail/email.ts";
import { activateToken } from "../email-tokens.ts";

/** The link that verifies an address. About the row of its token. */
export const verificationEmail: Email<Pick<Io, "db" | "now" | "config">, string> = {
  purpose: "verify_email",
  part: "links",
  async load(io, message) {
    return (await activateToken(io, "verify_email", requireAbout(message)))?.token ?? null;
  },
  write: (token, origin) => ({
    subject: "Verify your email address for Checkline",
    preheader: "One click finishes signing up. The link works for 24 hours.",
    heading: "Verify your email address",
    before: ["You're one click away. Verify this address to finish signing up and start your free trial."],
    button: { label: "Verify email address", href: `${origin}/verify-account?token=${token}` },
    after: [
      "The link works once and expires in 24 hours. If it has expired, log in, and we'll offer you a new one.",
      {
        lead: "If this wasn't you,",
        text: "don't open the link. No other action is needed; the address stays unverified.",
      },
    ],
  }),
};
