import { describe, expect, test } from "vitest";
import type { Mail } from "./driver.ts";
import { MAIL_PURPOSES, NOTICE_PURPOSES } from "./messages.ts";
import type { MailPurpose } from "./messages.ts";
import { DARK, LIGHT } from "./palette.ts";
import type { Palette } from "./palette.ts";
import { renderMail } from "./render.ts";
import type { MailOccasion } from "./templates.ts";

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

const OCCASIONS: Readonly<Record<MailPurpose, MailOccasion>> = {
  verify_email: { purpose: "verify_email", token: TOKEN },
  reset_password: { purpose: "reset_password", token: TOKEN },
  already_registered: { purpose: "already_registered" },
  password_changed: { purpose: "password_changed" },
  live_key_created: { purpose: "live_key_created", keys: [KEY] },
  security_notice: { purpose: "security_notice", events: [EVENT] },
  quota_80: { purpose: "quota_80", quota: QUOTA },
  quota_100: { purpose: "quota_100", quota: { ...QUOTA, used: 1_003 } },
  trial_ending: { purpose: "trial_ending", trial: TRIAL },
};

/** The target of each email's button. */
const LINKS: Readonly<Record<MailPurpose, string>> = {
  verify_email: `${ORIGIN}/verify-account?token=${TOKEN}`,
  reset_password: `${ORIGIN}/reset-password?token=${TOKEN}`,
  already_registered: `${ORIGIN}/login`,
  password_changed: `${ORIGIN}/forgot-password`,
  live_key_created: `${ORIGIN}/dashboard`,
  security_notice: `${ORIGIN}/dashboard/settings/security`,
  quota_80: `${ORIGIN}/dashboard`,
  quota_100: `${ORIGIN}/dashboard`,
  trial_ending: `${ORIGIN}/dashboard`,
};

function render(occasion: MailOccasion, name: string | null = "Ada"): Mail {
  return renderMail(occasion, { address: "ada@example.com", name }, ORIGIN);
}

/** Every link in the HTML. */
function hrefs(mail: Mail): string[] {
  return [...mail.html.matchAll(/href="([^"]*)"/g)].map((match) => match[1]!);
}

describe.each(MAIL_PURPOSES)("the email for %s", (purpose) => {
  const mail = render(OCCASIONS[purpose]);

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
    const hostile = render(OCCASIONS[purpose], HOSTILE);
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

// A trial just ends: no one caused it.
test.each(MAIL_PURPOSES.filter((purpose) => purpose !== "trial_ending"))(
  "the email for %s says what to do if it was not the reader, in both formats",
  (purpose) => {
    const mail = render(OCCASIONS[purpose]);
    expect(mail.text).toContain("If this wasn't you,");
    expect(mail.html).toContain("If this wasn&#39;t you,");
  },
);

test("the texts say how long links work", () => {
  expect(render(OCCASIONS.verify_email).text).toContain("expires in 24 hours");
  expect(render(OCCASIONS.reset_password).text).toContain("expires in one hour");
});

test("only the emails for a token contain one", () => {
  for (const purpose of MAIL_PURPOSES.filter((known) => known !== "verify_email" && known !== "reset_password")) {
    const { text, html } = render(OCCASIONS[purpose]);
    expect(text + html).not.toMatch(/token|verify-account|reset-password/);
  }
});

test("already_registered also links to a new password", () => {
  expect(hrefs(render(OCCASIONS.already_registered))).toContain(`${ORIGIN}/forgot-password`);
});

test("live_key_created identifies the key by name and last characters, and escapes the name", () => {
  const mail = render({ purpose: "live_key_created", keys: [{ ...KEY, name: HOSTILE }] });
  expect(mail.text).toContain(`Name: ${HOSTILE}\nKey: ch_live_…7f3Q\nCreated: Nov 20, 2026`);
  expect(mail.html).toContain("&lt;img src=x");
  expect(mail.html).not.toContain("<img");
});

test("live_key_created lists each of several keys", () => {
  const mail = render({ purpose: "live_key_created", keys: [KEY, { ...KEY, name: "Backup", hint: "9Zz0" }] });
  expect(mail.subject).toBe("2 live API keys were created in your Checkline account");
  expect(mail.text).toContain("Name: Checkout\nKey: ch_live_…7f3Q\n");
  expect(mail.text).toContain("Name: Backup\nKey: ch_live_…9Zz0\n");
});

describe("the emails about a subscription", () => {
  test("quota_80 reports how much is used, rounded down, and what happens at the limit", () => {
    const mail = render(OCCASIONS.quota_80);
    expect(mail.subject).toBe("81% of your Checkline quota is used");
    expect(mail.text).toContain("You've used 812 of 1,000 successful live verifications in your plan.");
    expect(mail.text).toContain("Used: 812 of 1,000\nRemaining: 188\nCounted since: Nov 3, 2026 (UTC)");
    expect(mail.text).toContain("a batch with more valid numbers than you have left returns 402 QUOTA_TOO_SMALL.");
    const last = render({ purpose: "quota_80", quota: { ...QUOTA, used: 999 } });
    expect(last.subject).toBe("99% of your Checkline quota is used");
  });

  test("quota_100 says so, and that nothing remains when slightly more was used", () => {
    const mail = render(OCCASIONS.quota_100);
    expect(mail.subject).toBe("Your Checkline quota is used up");
    expect(mail.text).toContain("Live verifications now return 402 QUOTA_EXCEEDED.");
    expect(mail.text).toContain("Used: 1,003 of 1,000\nRemaining: 0\n");
  });

  test("trial_ending gives the date and time in UTC", () => {
    const mail = render(OCCASIONS.trial_ending);
    expect(mail.subject).toBe("Your Checkline trial ends on Nov 17, 2026");
    expect(mail.text).toContain("Your free trial ends on Nov 17, 2026, 14:05 UTC.");
    expect(mail.text).toContain("return 403 SUBSCRIPTION_INACTIVE");
    expect(mail.text).toContain("Used: 812 of 1,000 successful live verifications");
    const endsAt = Date.UTC(2026, 11, 31, 23, 59);
    const eve = render({ purpose: "trial_ending", trial: { ...TRIAL, endsAt } });
    expect(eve.subject).toContain("Dec 31, 2026");
  });

  test("all say that test keys keep working", () => {
    for (const purpose of NOTICE_PURPOSES) {
      const { text, html } = render(OCCASIONS[purpose]);
      expect(text).toContain("Test keys keep working");
      expect(html).toContain("Test keys keep working");
    }
  });
});

test("a name can't add lines or reverse the text direction", () => {
  const { text } = render(OCCASIONS.password_changed, "Ada,\r\n\r\nPay here\u2028now\u202e");
  expect(text).toContain("Hello Ada, Pay here now,\n");
});

test.each([null, "", " \n "])("without a name (%j) the greeting has none", (name) => {
  expect(render(OCCASIONS.verify_email, name).text).toContain("\nHello,\n");
});

test("a trailing slash of the origin is not doubled", () => {
  const { text } = renderMail(OCCASIONS.already_registered, { address: "a@example.com", name: null }, `${ORIGIN}/`);
  expect(text).toContain(`${ORIGIN}/login\n`);
});

/** Relative luminance, WCAG 2.2. */
function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

test.each<[string, Palette]>([
  ["light", LIGHT],
  ["dark", DARK],
])("all text of the %s palette has a contrast of at least 4.5:1", (_, palette) => {
  for (const text of ["ink", "muted", "signal"] as const) {
    expect(contrast(palette[text], palette.paper), text).toBeGreaterThanOrEqual(4.5);
  }
  expect(contrast(palette.onButton, palette.button)).toBeGreaterThanOrEqual(4.5);
});

describe("the email about security events", () => {
  const facts = (text: string) => text.split("\n").filter((line) => /^ *(Event|Name|From|Time)\b/.test(line));

  test("says what happened, to what, from where and when", () => {
    const { subject, text } = render({ purpose: "security_notice", events: [EVENT] });
    expect(subject).toBe("Passkey added: your Checkline account");
    expect(facts(text).join("\n")).toMatch(
      /Event:? +Passkey added\n *Name:? +Laptop\n *From:? +Chrome on Linux, Germany\n *Time:? +Nov 20, 2026, 23:55 UTC/,
    );
  });

  test("lists several together, the operator as support, and omits an unknown country", () => {
    const reset = { ...EVENT, kind: "second_factor_reset", about: null, browser: null, country: null } as const;
    const { subject, text } = render({ purpose: "security_notice", events: [{ ...EVENT, country: null }, reset] });
    expect(subject).toBe("2 security events: your Checkline account");
    expect(text).toMatch(/From:? +Chrome on Linux\n/);
    expect(text).toMatch(/From:? +Checkline support\n/);
    expect(facts(text)).toHaveLength(7);
  });
});
