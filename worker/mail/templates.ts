import { formatCount, formatUtcDay, formatUtcTime } from "../../contract/format.ts";
import { SECURITY_EVENTS } from "../../contract/security-events.ts";
import type { SecurityEventKind } from "../../contract/security-events.ts";
import { deviceName } from "../accounts/device.ts";
import type { MailPurpose } from "./messages.ts";

/** What an email is about, with its data. */
export type MailOccasion =
  | { readonly purpose: "verify_email" | "reset_password"; readonly token: string }
  | { readonly purpose: "already_registered" | "password_changed" }
  | { readonly purpose: "live_key_created"; readonly keys: readonly NamedKey[] }
  | { readonly purpose: "security_notice"; readonly events: readonly NamedEvent[] }
  | { readonly purpose: "quota_80" | "quota_100"; readonly quota: QuotaUse }
  | { readonly purpose: "trial_ending"; readonly trial: EndingTrial };

/** The details of a key that an email may contain. */
export interface NamedKey {
  readonly name: string;
  /** Its last four characters. */
  readonly hint: string;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number;
}

/** The details of a security event that an email may contain. */
export interface NamedEvent {
  readonly kind: SecurityEventKind;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** The passkey's name, if the event has one. */
  readonly about: string | null;
  /** Null if an operator did it. */
  readonly browser: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
}

/** How much of a quota is used, in successful live verifications. */
export interface QuotaUse {
  readonly used: number;
  readonly limit: number;
  /** When counting began, in milliseconds since the Unix epoch; that whole UTC day counts. */
  readonly since: number;
}

/** The details of a trial that an email may contain. */
export interface EndingTrial extends Omit<QuotaUse, "since"> {
  /** Milliseconds since the Unix epoch. */
  readonly endsAt: number;
}

/** A paragraph, optionally with a bold lead-in. */
export type Paragraph = string | { readonly lead: string; readonly text: string };

export interface Link {
  readonly label: string;
  readonly href: string;
}

/** An email's content, before rendering as plain text or HTML. Not escaped yet. */
export interface Letter {
  readonly subject: string;
  /** What inboxes show next to the subject. */
  readonly preheader: string;
  readonly heading: string;
  readonly before: readonly Paragraph[];
  /** Labels and values. */
  readonly facts?: readonly (readonly [string, string])[];
  readonly button: Link;
  /** A secondary action. */
  readonly also?: Link;
  readonly after: readonly Paragraph[];
}

/** Untrusted text on one line, without characters that would reorder or break the surrounding text. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, " ").trim();
}

function verifyEmail(origin: string, token: string): Letter {
  return {
    subject: "Verify your email address for Checkline",
    preheader: "One click finishes your registration. The link works for 24 hours.",
    heading: "Verify your email address",
    before: [
      "Someone, hopefully you, signed up for Checkline with this address. Verify it to finish signing up and start the free trial.",
    ],
    button: { label: "Verify email address", href: `${origin}/verify-account?token=${token}` },
    after: [
      "The link works once and expires in 24 hours. If it has expired, log in and request a new one.",
      {
        lead: "If this wasn't you,",
        text: "don't open the link. No other action is needed; the address stays unverified.",
      },
    ],
  };
}

function resetPassword(origin: string, token: string): Letter {
  return {
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
  };
}

function alreadyRegistered(origin: string): Letter {
  return {
    subject: "You already have a Checkline account",
    preheader: "Nothing was created or changed. Log in or reset your password.",
    heading: "You already have an account",
    before: [
      "Someone, hopefully you, tried to sign up for Checkline with this address. It already belongs to your account, so nothing was created or changed.",
    ],
    button: { label: "Log in", href: `${origin}/login` },
    also: { label: "Forgot your password?", href: `${origin}/forgot-password` },
    after: [
      {
        lead: "If this wasn't you,",
        text: "no action is needed. We didn't reveal that you have an account.",
      },
    ],
  };
}

function passwordChanged(origin: string): Letter {
  return {
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
  };
}

function liveKeyCreated(origin: string, keys: readonly NamedKey[]): Letter {
  const isOne = keys.length === 1;
  const created = isOne ? "A live API key was created" : `${keys.length} live API keys were created`;
  return {
    subject: `${created} in your Checkline account`,
    preheader: `If it was you, no action is needed. If not, revoke ${isOne ? "the key" : "the keys"} now.`,
    heading: created,
    before: [
      isOne
        ? "A new live key was created in your Checkline account. Its verifications count toward your plan. If it was you, no action is needed."
        : "New live keys were created in your Checkline account. Their verifications count toward your plan. If it was you, no action is needed.",
    ],
    facts: keys.flatMap(({ name, hint, createdAt }) => [
      ["Name", oneLine(name)] as const,
      ["Key", `ch_live_…${hint}`] as const,
      ["Created", formatUtcTime(createdAt)] as const,
    ]),
    button: { label: "Open the dashboard", href: `${origin}/dashboard` },
    after: [
      {
        lead: "If this wasn't you,",
        text: `revoke ${isOne ? "the key" : "them"} in the dashboard now, then change your password. We never send keys by email.`,
      },
    ],
  };
}

function factsOf({ kind, at, about, browser, country }: NamedEvent): readonly (readonly [string, string])[] {
  return [
    ["Event", SECURITY_EVENTS[kind]],
    ...(about === null ? [] : [["Name", oneLine(about)] as const]),
    ["From", browser === null ? "Checkline support" : deviceName({ browser, country })],
    ["Time", formatUtcTime(at)],
  ];
}

/** For logins on new devices and changes of second factors, oldest first. */
function securityNotice(origin: string, events: readonly NamedEvent[]): Letter {
  const [only] = events.length === 1 ? events : [];
  const title = only === undefined ? `${events.length} security events` : SECURITY_EVENTS[only.kind];
  return {
    subject: `${title}: your Checkline account`,
    preheader: "If it was you, no action is needed. If not, set a new password now.",
    heading: title,
    before: ["This happened in your Checkline account. If it was you, no action is needed."],
    facts: events.flatMap(factsOf),
    button: { label: "Review the security settings", href: `${origin}/dashboard/settings/security` },
    also: { label: "Set a new password", href: `${origin}/forgot-password` },
    after: [
      {
        lead: "If this wasn't you,",
        text: "set a new password, which logs everyone else out. Then remove second factors you don't recognize, replace the recovery codes, and review your API keys.",
      },
    ],
  };
}

/** What both emails about the quota share. */
function quotaLetter(origin: string, { used, limit, since }: QuotaUse) {
  return {
    facts: [
      ["Used", `${formatCount(used)} of ${formatCount(limit)}`],
      ["Remaining", formatCount(Math.max(0, limit - used))],
      ["Counted since", `${formatUtcDay(since)} (UTC)`],
    ],
    button: { label: "Open the dashboard", href: `${origin}/dashboard` },
    after: [
      "Invalid numbers and test keys don't count.",
      {
        lead: "If this wasn't you,",
        text: "someone else may have one of your live keys. Revoke it in the dashboard and generate a new one.",
      },
    ],
  } as const;
}

function quotaNearlyUsed(origin: string, quota: QuotaUse): Letter {
  const use = `${formatCount(quota.used)} of ${formatCount(quota.limit)} successful live verifications`;
  return {
    ...quotaLetter(origin, quota),
    // Rounded down, so it never exceeds actual usage.
    subject: `${Math.floor((100 * quota.used) / quota.limit)}% of your Checkline quota is used`,
    preheader: `${use}. No action is needed yet.`,
    heading: "Your quota is nearly used",
    before: [
      `You've used ${use} in your plan. Once they run out, live verifications return 402 QUOTA_EXCEEDED. Before that, a batch with more valid numbers than you have left returns 402 QUOTA_TOO_SMALL. Test keys keep working.`,
    ],
  };
}

function quotaUsed(origin: string, quota: QuotaUse): Letter {
  return {
    ...quotaLetter(origin, quota),
    subject: "Your Checkline quota is used up",
    preheader: "Live verifications return 402 QUOTA_EXCEEDED. Test keys keep working.",
    heading: "Your quota is used up",
    before: [
      `You've used all ${formatCount(quota.limit)} successful live verifications in your plan. Live verifications now return 402 QUOTA_EXCEEDED. Test keys keep working.`,
    ],
  };
}

function trialEnding(origin: string, { endsAt, used, limit }: EndingTrial): Letter {
  const end = formatUtcTime(endsAt);
  return {
    subject: `Your Checkline trial ends on ${formatUtcDay(endsAt)}`,
    preheader: "After that, live keys stop working. Test keys keep working.",
    heading: "Your trial ends soon",
    before: [
      `Your free trial ends on ${end}. After that, live keys return 403 SUBSCRIPTION_INACTIVE. Test keys keep working, and you keep your account, keys, and usage reports.`,
    ],
    facts: [
      ["Ends", end],
      ["Used", `${formatCount(used)} of ${formatCount(limit)} successful live verifications`],
    ],
    button: { label: "Open the dashboard", href: `${origin}/dashboard` },
    after: ["There's nothing to cancel."],
  };
}

/**
 * The letter for an occasion.
 * @param origin of the site, without a trailing slash
 */
export function letterFor(occasion: MailOccasion, origin: string): Letter {
  switch (occasion.purpose) {
    case "verify_email":
      return verifyEmail(origin, occasion.token);
    case "reset_password":
      return resetPassword(origin, occasion.token);
    case "already_registered":
      return alreadyRegistered(origin);
    case "password_changed":
      return passwordChanged(origin);
    case "live_key_created":
      return liveKeyCreated(origin, occasion.keys);
    case "security_notice":
      return securityNotice(origin, occasion.events);
    case "quota_80":
      return quotaNearlyUsed(origin, occasion.quota);
    case "quota_100":
      return quotaUsed(origin, occasion.quota);
    case "trial_ending":
      return trialEnding(origin, occasion.trial);
    default:
      throw new Error(`No letter for ${(occasion as { purpose: MailPurpose }).purpose}`);
  }
}
