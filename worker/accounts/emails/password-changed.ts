import type { Email } from "../../mail/email.ts";

export const passwordChangedEmail: Email<unknown, undefined> = {
  purpose: "password_changed",
  part: "notices",
  write: (_, origin) => ({
    subject: "Your Checkline password was changed",
    preheader: "If it was you, no action is needed. If not, set a new password now.",
    heading: "Your password was changed",
    before: [
      "Your Checkline password was changed, and all other sessions were logged out. Your API keys keep working. If it was you, no action is needed.",
      {
        lead: "If this wasn't you,",
        text: "set a new password now; that logs everyone else out. Then review your API keys and revoke any you don't recognize.",
      },
    ],
    button: { label: "Set a new password", href: `${origin}/forgot-password` },
    also: { label: "Review your API keys", href: `${origin}/dashboard` },
    after: [],
  }),
};
