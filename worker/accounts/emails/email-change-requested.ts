import { and, desc, eq, sql } from "drizzle-orm";
import { emailTokens, users } from "../../../schema.ts";
import type { Io } from "../../io.ts";
import { oneLine } from "../../mail/email.ts";
import type { Email } from "../../mail/email.ts";

/** For the current address: a change was requested, last to the address of this data. Unsent once that is the account's. */
export const emailChangeRequestedEmail: Email<Pick<Io, "db">, string> = {
  purpose: "email_change_requested",
  part: "notices",
  async load({ db }, _message, recipient) {
    const last = await db
      .select({ requested: emailTokens.email, current: users.email })
      .from(emailTokens)
      .innerJoin(users, eq(users.id, emailTokens.userId))
      .where(and(eq(emailTokens.userId, recipient.id), eq(emailTokens.purpose, "change_email")))
      .orderBy(desc(emailTokens.createdAt), desc(sql`${emailTokens}.rowid`))
      .get();
    return last === undefined || last.requested === last.current ? null : last.requested;
  },
  write: (email, origin) => ({
    subject: "Someone asked to change your Checkline email address",
    preheader: "If it was you, open the link in the other mailbox. If not, set a new password now.",
    heading: "Someone asked to change your email address",
    before: [
      "We got a request, made with your password, to change your account's email address. It only changes once the new address is confirmed.",
    ],
    facts: [{ label: "New address", value: oneLine(email) }],
    button: { label: "Review your settings", href: `${origin}/dashboard/settings` },
    also: { label: "Set a new password", href: `${origin}/forgot-password` },
    after: [
      {
        lead: "If this wasn't you,",
        text: "set a new password now. That cancels the change and logs everyone else out.",
      },
    ],
  }),
};
