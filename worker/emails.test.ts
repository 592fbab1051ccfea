import { describe, expect, test } from "vitest";
import { alreadyRegisteredEmail } from "./accounts/emails/already-registered.ts";
import { changeEmailEmail } from "./accounts/emails/change-email.ts";
import { emailChangeRequestedEmail } from "./accounts/emails/email-change-requested.ts";
import { emailChangeUndoneEmail } from "./accounts/emails/email-change-undone.ts";
import { emailChangedEmail } from "./accounts/emails/email-changed.ts";
import { passwordChangedEmail } from "./accounts/emails/password-changed.ts";
import { passwordResetEmail } from "./accounts/emails/password-reset.ts";
import { securityNoticeEmail } from "./accounts/emails/security-notice.ts";
import { verificationEmail } from "./accounts/emails/verification.ts";
import { EMAILS } from "./emails.ts";
import { liveKeyCreatedEmail } from "./keys/emails/live-key-created.ts";
import type { Mail } from "./mail/driver.ts";
import type { EmailContent } from "./mail/email.ts";
import { renderMail } from "./mail/render.ts";
import { quotaNearlyUsedEmail, quotaUsedEmail } from "./subscriptions/emails/quota.ts";
import { trialEndingEmail } from "./subscriptions/emails/trial-ending.ts";

const ORIGIN = "https://checkline.test";
const TOKEN = "q3v9Zt0b8J1yq2mYw4cXo7n5K6dR8sT1uV3wA5xB7yE";
const HOSTILE = `<img src=x onerror="a('b')">&`;
const KEY = { name: "Checkout", hint: "7f3Q", createdAt: Date.UTC(2026, 10, 20, 23, 55) };

const QUOTA = { used: 812, limit: 1_000, since: Date.UTC(2026, 10, 3, 23, 59) };
const TRIAL = { endsAt: Date.UTC(2026, 10, 17, 14, 5), used: 812, limit: 1_000 };
const EVENT = {
  kind: "passkey_added",
  at: Date.UTC(2026, 10, 20, 23, 55),
  about: "Laptop",
  browser: "Chrome on Linux",
  country: "DE",
} as const;

/** What each email says, for example. */
const CONTENTS = {
  verify_email: verificationEmail.write(TOKEN, ORIGIN),
  reset_password: passwordResetEmail.write({ token: TOKEN, expiresAt: Date.UTC(2026, 10, 20, 14, 5) }, ORIGIN),
  already_registered: alreadyRegisteredEmail.write(undefined, ORIGIN),
  password_changed: passwordChangedEmail.write(undefined, ORIGIN),
  change_email: changeEmailEmail.write({ token: TOKEN, email: "ada@example.org", expiresAt: 0 }, ORIGIN),
  email_change_requested: emailChangeRequestedEmail.write("ada@example.org", ORIGIN),
  undo_email_change: emailChangedEmail.write(
    { token: TOKEN, email: "ada@example.com", expiresAt: Date.UTC(2026, 10, 20, 14, 5) },
    ORIGIN,
  ),
  email_change_undone: emailChangeUndoneEmail.write("ada@example.org", ORIGIN),
  security_notice: securityNoticeEmail.write([EVENT], ORIGIN),
  live_key_created: liveKeyCreatedEmail.write([KEY], ORIGIN),
  quota_80: quotaNearlyUsedEmail.write(QUOTA, ORIGIN),
  quota_100: quotaUsedEmail.write({ ...QUOTA, used: 1_003 }, ORIGIN),
  trial_ending: trialEndingEmail.write(TRIAL, ORIGIN),
};

type Purpose = keyof typeof CONTENTS;
const PURPOSES = Object.keys(CONTENTS) as Purpose[];

/** The target of each email's button. */
const LINKS: Readonly<Record<Purpose, string>> = {
  verify_email: `${ORIGIN}/verify-account?token=${TOKEN}`,
  reset_password: `${ORIGIN}/reset-password?token=${TOKEN}`,
  already_registered: `${ORIGIN}/login`,
  password_changed: `${ORIGIN}/forgot-password`,
  change_email: `${ORIGIN}/confirm-email?token=${TOKEN}`,
  email_change_requested: `${ORIGIN}/dashboard/settings`,
  undo_email_change: `${ORIGIN}/undo-email-change?token=${TOKEN}`,
  email_change_undone: `${ORIGIN}/help`,
  live_key_created: `${ORIGIN}/dashboard`,
  security_notice: `${ORIGIN}/dashboard/settings/security`,
  quota_80: `${ORIGIN}/dashboard`,
  quota_100: `${ORIGIN}/dashboard`,
  trial_ending: `${ORIGIN}/dashboard`,
};

function render(content: EmailContent, name: string | null = "Ada"): Mail {
  return renderMail(content, { address: "ada@example.com", name }, ORIGIN);
}

/** Every link in the HTML. */
function hrefs(mail: Mail): string[] {
  return [...mail.html.matchAll(/href="([^"]*)"/g)].map((match) => match[1]!);
}

test("every email is tested here", () => {
  expect(EMAILS.map(({ purpose }) => purpose)).toStrictEqual(PURPOSES);
});

describe.each(PURPOSES)("the email for %s", (purpose) => {
  const mail = render(CONTENTS[purpose]);

  test("has the right link in its button, its full address, and the plain text", () => {
    expect(hrefs(mail).filter((href) => href === LINKS[purpose])).toHaveLength(2);
    expect(mail.html).toContain(`>${LINKS[purpose]}</a`);
    expect(mail.text.split("\n")).toContain(LINKS[purpose]);
  });

  test("has a distinct subject on one line, and greets by name", () => {
    expect(mail.subject).toMatch(/^[\x20-\x7e]{10,70}$/);
    expect(mail.html).toContain(`<title>${mail.subject}</title>`);
    expect(mail.text).toContain("Hello Ada,");
    expect(mail.to).toBe("ada@example.com");
  });

  test("needs no image, script, style sheet, or other host", () => {
    expect(mail.html).not.toMatch(/<(img|script|link|iframe|form)\b|url\(|@import/i);
    for (const href of hrefs(mail)) expect(href.startsWith(ORIGIN), href).toBe(true);
  });

  test("contains no markup from a hostile name", () => {
    const hostile = render(CONTENTS[purpose], HOSTILE);
    expect(hostile.html).not.toContain("<img");
    expect(hostile.html).toContain("Hello &lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt;&amp;,");
  });

  test("closes every element it opens", () => {
    for (const tag of ["table", "tr", "td", "div", "p", "a", "h1", "strong"]) {
      const opened = mail.html.match(new RegExp(`<${tag}[\\s>]`, "g"))?.length ?? 0;
      const closed = mail.html.match(new RegExp(`</${tag}\\s*>`, "g"))?.length ?? 0;
      expect(opened, tag).toBe(closed);
    }
  });

  test("is far below the size at which Gmail truncates an email", () => {
    expect(new TextEncoder().encode(mail.html).length).toBeLessThan(30_000);
  });
});

test("only the emails for a token contain one", () => {
  const withToken = ["verify_email", "reset_password", "change_email", "undo_email_change"];
  for (const purpose of PURPOSES.filter((known) => !withToken.includes(known))) {
    const { text, html } = render(CONTENTS[purpose]);
    expect(text + html).not.toMatch(/token|verify-account|reset-password|confirm-email|undo-email-change/);
  }
});

test("already_registered also links to a new password", () => {
  expect(hrefs(render(CONTENTS.already_registered))).toContain(`${ORIGIN}/forgot-password`);
});

test("live_key_created identifies the key by name and last characters, and escapes the name", () => {
  const mail = render(liveKeyCreatedEmail.write([{ ...KEY, name: HOSTILE }], ORIGIN));
  expect(mail.text).toContain(`Name: ${HOSTILE}\nKey: ch_live_…7f3Q\nCreated: Nov 20, 2026`);
  expect(mail.html).toContain("&lt;img src=x");
  expect(mail.html).not.toContain("<img");
});

test("live_key_created lists each of several keys", () => {
  const mail = render(liveKeyCreatedEmail.write([KEY, { ...KEY, name: "Backup", hint: "9Zz0" }], ORIGIN));
  expect(mail.subject).toBe("2 live API keys were created in your Checkline account");
  expect(mail.text).toContain("Name: Checkout\nKey: ch_live_…7f3Q\n");
  expect(mail.text).toContain("Name: Backup\nKey: ch_live_…9Zz0\n");
});

describe("the emails about a subscription", () => {
  test("quota_80 reports how much is used, rounded down, and what happens at the limit", () => {
    const mail = render(CONTENTS.quota_80);
    expect(mail.subject).toBe("81% of your Checkline quota is used");
    expect(mail.text).toContain("You've used 812 of 1,000 successful live verifications in your plan.");
    expect(mail.text).toContain("Used: 812 of 1,000\nRemaining: 188\nCounted since: Nov 3, 2026 (UTC)");
    expect(mail.text).toContain("a batch with more valid numbers than you have left returns 402 QUOTA_TOO_SMALL.");
    const last = render(quotaNearlyUsedEmail.write({ ...QUOTA, used: 999 }, ORIGIN));
    expect(last.subject).toBe("99% of your Checkline quota is used");
  });

  test("quota_100 says so, and that nothing remains when slightly more was used", () => {
    const mail = render(CONTENTS.quota_100);
    expect(mail.subject).toBe("Your Checkline quota is used up");
    expect(mail.text).toContain("Live verifications now return 402 QUOTA_EXCEEDED.");
    expect(mail.text).toContain("Used: 1,003 of 1,000\nRemaining: 0\n");
  });

  test("trial_ending gives the date and time in UTC", () => {
    const mail = render(CONTENTS.trial_ending);
    expect(mail.subject).toBe("Your Checkline trial ends on Nov 17, 2026");
    expect(mail.text).toContain("Your free trial ends on Nov 17, 2026, 14:05 UTC.");
    expect(mail.text).toContain("return 403 SUBSCRIPTION_INACTIVE");
    expect(mail.text).toContain("Used: 812 of 1,000 successful live verifications");
    const endsAt = Date.UTC(2026, 11, 31, 23, 59);
    const eve = render(trialEndingEmail.write({ ...TRIAL, endsAt }, ORIGIN));
    expect(eve.subject).toContain("Dec 31, 2026");
  });
});

test("a name can't add lines or reverse the text direction", () => {
  const { text } = render(CONTENTS.password_changed, "Ada,\r\n\r\nPay here\u2028now\u202e");
  expect(text).toContain("Hello Ada, Pay here now,\n");
});

test.each([null, "", " \n "])("without a name (%j) the greeting has none", (name) => {
  expect(render(CONTENTS.verify_email, name).text).toContain("\nHello,\n");
});

describe("the email about security events", () => {
  const facts = (text: string) => text.split("\n").filter((line) => /^ *(Event|Name|From|Time)\b/.test(line));

  test("says what happened, to what, from where and when", () => {
    const { subject, text } = render(CONTENTS.security_notice);
    expect(subject).toBe("Passkey added: your Checkline account");
    expect(facts(text).join("\n")).toMatch(
      /Event:? +Passkey added\n *Name:? +Laptop\n *From:? +Chrome on Linux, Germany\n *Time:? +Nov 20, 2026, 23:55 UTC/,
    );
  });

  test("lists several together, the operator as support, and omits an unknown country", () => {
    const reset = { ...EVENT, kind: "second_factor_reset", about: null, browser: null, country: null } as const;
    const { subject, text } = render(securityNoticeEmail.write([{ ...EVENT, country: null }, reset], ORIGIN));
    expect(subject).toBe("2 security events: your Checkline account");
    expect(text).toMatch(/From:? +Chrome on Linux\n/);
    expect(text).toMatch(/From:? +Checkline support\n/);
    expect(facts(text)).toHaveLength(7);
  });
});
