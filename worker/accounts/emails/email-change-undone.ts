import { eq } from "drizzle-orm";
import { emailTokens } from "../../../schema.ts";
import type { Io } from "../../io.ts";
import { requireAbout } from "../../mail/email.ts";
import type { Email } from "../../mail/email.ts";

/** For the address that the account had until a change was undone or changed back. About the row of the used undo link. */
export const emailChangeUndoneEmail: Email<Pick<Io, "db">, string> = {
  purpose: "email_change_undone",
  // Each follows a link that was sent, and is the only one to its address.
  part: "undo",
  async load({ db }, message) {
    const row = await db
      .select({ left: emailTokens.email })
      .from(emailTokens)
      .where(eq(emailTokens.id, requireAbout(message)))
      .get();
    return row?.left ?? null;
  },
  to: (left) => left,
  write: (_left, origin) => ({
    subject: "The change of your Checkline email address was undone",
    preheader: "The account has its previous address again. If it was you, no action is needed.",
    heading: "Your change of email was undone",
    before: [
      "A Checkline account had this email address and has its previous one again: someone used the link that we sent there after the change, or changed it back in Settings. This address no longer works for logging in. If it was you, no action is needed.",
      {
        lead: "If this wasn't you,",
        text: "someone else reads the account's previous mailbox. Revoke the account's API keys in the systems that use them, and write to support: the help page has the address.",
      },
    ],
    button: { label: "Get help", href: `${origin}/help` },
    after: ["We send no more emails about the account to this address."],
  }),
};
