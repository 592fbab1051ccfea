import { eq } from "drizzle-orm";
import { emailTokens } from "../../../schema.ts";
import type { Io } from "../../io.ts";
import { requireAbout } from "../../mail/email.ts";
import type { Email } from "../../mail/email.ts";
import { activateToken } from "../email-tokens.ts";
import type { ActiveToken } from "../email-tokens.ts";

/** A link with its token, and the address that it is sent to. */
export interface AddressedLink extends ActiveToken {
  readonly email: string;
}

/** Activates the token of a row that has an address; null when there is nothing to send. */
export async function loadAddressedLink(
  io: Pick<Io, "db" | "now" | "config">,
  purpose: "change_email" | "undo_email_change",
  id: string,
): Promise<AddressedLink | null> {
  const active = await activateToken(io, purpose, id);
  if (active === null) return null;
  const row = await io.db.select({ email: emailTokens.email }).from(emailTokens).where(eq(emailTokens.id, id)).get();
  return row?.email ? { ...active, email: row.email } : null;
}

/** For the new address: the link that makes it the account's. About the row of its token. */
export const changeEmailEmail: Email<Pick<Io, "db" | "now" | "config">, AddressedLink> = {
  purpose: "change_email",
  part: "links",
  load: (io, message) => loadAddressedLink(io, "change_email", requireAbout(message)),
  to: ({ email }) => email,
  write: ({ token }, origin) => ({
    subject: "Confirm your new email address for Checkline",
    preheader: "After that, you log in with it. The link works for 24 hours.",
    heading: "Confirm your new email address",
    before: [
      "We got a request to use this address for a Checkline account. Confirm it while you're logged in to that account.",
    ],
    button: { label: "Confirm email address", href: `${origin}/confirm-email?token=${token}` },
    after: [
      "The link works once and expires in 24 hours. Until you confirm, keep logging in with the previous address.",
      {
        lead: "If this wasn't you,",
        text: "ignore this email. The link does nothing without the account's password.",
      },
    ],
  }),
};
