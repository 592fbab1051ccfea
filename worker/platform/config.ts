import { ORIGIN } from "../../contract/origin.ts";
import { subkey } from "./hash.ts";
import { DAY_MS } from "./time.ts";

/** In characters; the worker won't run with a shorter session secret. */
const MIN_SECRET_LENGTH = 32;

/** How long a queue keeps a message by default, in days; `npm run deploy` sets it to 14. */
const QUEUE_RETENTION_DAYS = 4;

/** How email is delivered: stored on this machine, through Resend, or through Cloudflare's binding. */
export type MailDriverName = "mailbox" | "resend" | "cloudflare";

/** Settings from wrangler.toml, secrets, or locally .dev.vars. */
export interface Settings {
  readonly SESSION_SECRET?: string;
  /** Only during a rotation of SESSION_SECRET. */
  readonly SESSION_SECRET_NEXT?: string;
  readonly TRIAL_SECRET?: string;
  readonly ENVIRONMENT?: string;
  readonly PUBLIC_ORIGIN?: string;
  readonly MAIL_DRIVER?: string;
  readonly MAIL_FROM?: string;
  readonly RESEND_API_KEY?: string;
  readonly RESEND_ENDPOINT?: string;
  readonly USAGE_RETENTION_DAYS?: string;
  /** The most emails the service sends per hour. */
  readonly MAIL_PER_HOUR?: string;
  readonly MAIL_PER_DAY?: string;
  /** Where the accounts' ledgers run and are stored, such as "eu"; everywhere by default. Can't be changed later. */
  readonly JURISDICTION?: string;
  /** "on" to check new passwords against a list of breached ones. */
  readonly BREACH_CHECK?: string;
}

export interface MailConfig {
  readonly driver: MailDriverName;
  /** The sender: an address, or `Name <address>`. */
  readonly from: string;
  readonly resend: { readonly apiKey: string; readonly endpoint: string } | null;
}

/** The key of one purpose. */
export interface Secrets {
  readonly current: string;
  /** The secret that `current` is replacing: what it signed is still valid. Null outside a rotation. */
  readonly retiring: string | null;
}

/**
 * What the session secret is used for: signing sessions, email tokens, subjects of limits, and ids of idempotent calls.
 * Each has a separate key, so that one reveals nothing about another.
 */
const PURPOSES = ["sessions", "emailTokens", "attempts", "calls"] as const;
export type SecretsByPurpose = Readonly<Record<(typeof PURPOSES)[number], Secrets>>;

export interface Config {
  readonly secrets: SecretsByPurpose;
  /** The key for hashing trial claims, never rotated. Null when missing: no one can start a trial. */
  readonly trialSecret: string | null;
  /** The site's origin, without a trailing slash, for links in emails and to recognize its pages. */
  readonly origin: string;
  /** Null when email can't be sent; `problems` says why. */
  readonly mail: MailConfig | null;
  /** The most emails the service sends per hour. */
  readonly mailPerHour: number;
  /** The most emails that the provider sends in a day; null if it has no such quota. */
  readonly mailPerDay: number | null;
  /** Whether plain http requests are rejected: everywhere but in development. */
  readonly httpsOnly: boolean;
  /** Whether new passwords are checked against a public list of breached ones. */
  readonly breachCheck: boolean;
  /** How old counts may be when they reach a ledger, in milliseconds: a day less than the queue's retention. */
  readonly usageMaxAge: number;
  /** What an operator should fix. Contains no values of settings. */
  readonly problems: readonly string[];
}

/** A required setting is missing or unsafe, so nothing can be served. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

function mailConfig(settings: Settings, problems: string[]): MailConfig | null {
  const { MAIL_DRIVER: driver, MAIL_FROM: from, RESEND_API_KEY: apiKey } = settings;
  const local = settings.ENVIRONMENT === "development";
  if (driver === "mailbox" && local) return { driver, from: from ?? "Checkline <no-reply@localhost>", resend: null };
  const before = problems.length;
  if (driver === "mailbox")
    problems.push("MAIL_DRIVER is mailbox, which shows every email and only works in development.");
  else if (driver !== "resend" && driver !== "cloudflare") {
    problems.push(
      "MAIL_DRIVER isn't set to resend or cloudflare, so the service can't send email and nobody can register.",
    );
  }
  if (!from) problems.push("MAIL_FROM, the sender address, isn't set.");
  if (driver === "resend" && !apiKey) problems.push("RESEND_API_KEY isn't set.");
  if (!local && !settings.PUBLIC_ORIGIN) problems.push("PUBLIC_ORIGIN isn't set, so links in emails won't work.");
  if (problems.length > before) return null;
  const endpoint = settings.RESEND_ENDPOINT ?? "https://api.resend.com/emails";
  return {
    driver: driver as MailDriverName,
    from: from!,
    resend: driver === "resend" ? { apiKey: apiKey!, endpoint } : null,
  };
}

/**
 * The secret being rotated out stays under the usual name: stored secrets can't be read back, so operators couldn't
 * copy it to another.
 */
function parseSecret(settings: Settings, problems: string[]): Secrets {
  const { SESSION_SECRET: secret = "", SESSION_SECRET_NEXT: next = "" } = settings;
  if (secret.length < MIN_SECRET_LENGTH) {
    throw new ConfigError(
      `SESSION_SECRET is missing or shorter than ${MIN_SECRET_LENGTH} characters. Set it with: wrangler secret put SESSION_SECRET`,
    );
  }
  if (next === "" || next === secret) return { current: secret, retiring: null };
  if (next.length >= MIN_SECRET_LENGTH) return { current: next, retiring: secret };
  problems.push(`SESSION_SECRET_NEXT is shorter than ${MIN_SECRET_LENGTH} characters, so it isn't used.`);
  return { current: secret, retiring: null };
}

/** Separate from the session secret, since a rotation would give everyone another trial. */
export function parseTrialSecret(
  { TRIAL_SECRET: secret = "" }: Pick<Settings, "TRIAL_SECRET">,
  problems: string[] = [],
): string | null {
  if (secret.length >= MIN_SECRET_LENGTH) return secret;
  problems.push(
    `TRIAL_SECRET is missing or shorter than ${MIN_SECRET_LENGTH} characters, so nobody can start a trial.`,
  );
  return null;
}

/** The most emails per hour unless the operator says otherwise: what a few thousand active accounts need. */
const MAIL_PER_HOUR = 1_000;

function parseMailPerHour({ MAIL_PER_HOUR: value = "" }: Settings, problems: string[]): number {
  if (value === "") return MAIL_PER_HOUR;
  if (/^[1-9]\d{0,6}$/.test(value)) return Number(value);
  problems.push(`MAIL_PER_HOUR isn't a whole number from 1 to 9999999, so the limit is ${MAIL_PER_HOUR} emails.`);
  return MAIL_PER_HOUR;
}

/** A quota of the email provider, as Cloudflare sets one for new accounts; null if there is none to watch. */
function parseMailPerDay({ MAIL_PER_DAY: value = "" }: Settings, problems: string[]): number | null {
  if (value === "") return null;
  if (/^[1-9]\d{0,6}$/.test(value)) return Number(value);
  problems.push("MAIL_PER_DAY isn't a whole number from 1 to 9999999, so the day's emails aren't watched.");
  return null;
}

function parseBreachCheck({ BREACH_CHECK: value = "" }: Settings, problems: string[]): boolean {
  if (value !== "" && value !== "on" && value !== "off") {
    problems.push("BREACH_CHECK is neither on nor off, so new passwords aren't checked against known breaches.");
  }
  return value === "on";
}

/** The keys for all purposes. */
export function deriveSecrets({ current, retiring }: Secrets): SecretsByPurpose {
  const derived = PURPOSES.map((purpose) => [
    purpose,
    { current: subkey(current, purpose), retiring: retiring === null ? null : subkey(retiring, purpose) },
  ]);
  return Object.fromEntries(derived) as SecretsByPurpose;
}

/** How old counts may be when they reach a ledger, in milliseconds: a day less than the queue's retention. */
export function usageMaxAge({ USAGE_RETENTION_DAYS: days }: Settings): number {
  return (Number(days ?? QUEUE_RETENTION_DAYS) - 1) * DAY_MS;
}

/**
 * Parses the settings.
 * @throws ConfigError when the session secret is missing or short: no default could be safe.
 */
export function parseConfig(settings: Settings): Config {
  const problems: string[] = [];
  const secrets = deriveSecrets(parseSecret(settings, problems));
  const trialSecret = parseTrialSecret(settings, problems);
  const mail = mailConfig(settings, problems);
  const mailPerHour = parseMailPerHour(settings, problems);
  const mailPerDay = parseMailPerDay(settings, problems);
  const httpsOnly = settings.ENVIRONMENT !== "development";
  const breachCheck = parseBreachCheck(settings, problems);
  const origin = (settings.PUBLIC_ORIGIN ?? ORIGIN).replace(/\/+$/, "");
  return {
    secrets,
    trialSecret,
    origin,
    mail,
    mailPerHour,
    mailPerDay,
    httpsOnly,
    breachCheck,
    usageMaxAge: usageMaxAge(settings),
    problems,
  };
}
