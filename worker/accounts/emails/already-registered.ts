import type { Email } from "../../mail/email.ts";

/** For the owner of an address that someone registered again, or wanted for another account. */
export const alreadyRegisteredEmail: Email<unknown, undefined> = {
  purpose: "already_registered",
  part: "links",
  write: (_, origin) => ({
    subject: "You already have a Checkline account",
    preheader: "Nothing was created or changed. Log in or reset your password.",
    heading: "You already have an account",
    before: [
      "We got a request to create a Checkline account with this address. You already have one, so nothing was created or changed.",
    ],
    button: { label: "Log in", href: `${origin}/login` },
    also: { label: "Forgot your password?", href: `${origin}/forgot-password` },
    after: [
      {
        lead: "If this wasn't you,",
        text: "no action is needed. We didn't reveal that you have an account.",
      },
    ],
  }),
};
