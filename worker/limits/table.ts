import type { AddressRate } from "../../contract/endpoints/endpoint.ts";
import {
  ADDRESS_CALLS_PER_MINUTE,
  CHALLENGE_MINUTES,
  CHANGE_EMAILS_PER_DAY,
  CHANGES_PER_HOUR,
  DEMO_LOOKUPS_PER_MINUTE,
  MAX_TRIALS,
  PAGE_CALLS_PER_MINUTE,
  REFUSED_CALLS_PER_MINUTE,
  RESET_EMAILS_PER_DAY,
  SESSION_CALLS_PER_MINUTE,
  UNKNOWN_KEYS_PER_MINUTE,
  VERIFICATION_EMAILS_PER_DAY,
} from "../../contract/limits.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../platform/time.ts";

/** Whom a limit counts. Counts never keep who it is, only a keyed hash. */
export type Who = "account" | "key" | "address" | "network" | "mailbox" | "domain" | "challenge" | "kind of email";

/** Where a count is kept; README.md says which to take. */
type Kept = "isolates" | "location" | "database";

/** This many in a window that, in the database, starts with the first, or on the hour. */
export interface Limit<By extends Who = Who, In extends Kept = Kept> {
  /** Part of each hash, so two rows of one name share a count. */
  readonly name: string;
  readonly by: readonly By[];
  readonly max: number;
  /** Milliseconds. */
  readonly window: number;
  readonly kept: In;
  /** For limits that count the same emails. */
  readonly onTheHour?: true;
}

/** A limit that D1 counts exactly. */
export type ExactLimit<By extends Who = Who> = Limit<By, "database">;

export function inDatabase<const By extends Who>(
  name: string,
  by: readonly By[],
  max: number,
  window: number,
): ExactLimit<By> {
  return { name, by, max, window, kept: "database" };
}

/** On the hour, so that the windows of a part, of all emails, and of a network end together. */
function emailsPerHour<const By extends Who>(name: string, by: readonly By[], max: number): ExactLimit<By> {
  return { ...inDatabase(name, by, max, HOUR_MS), onTheHour: true };
}

function inIsolates<const By extends Who>(name: string, by: readonly By[], max: number): Limit<By, "isolates"> {
  return { name, by, max, window: MINUTE_MS, kept: "isolates" };
}

/** One limiter of the platform's keeps all of these; wrangler.toml has its limit too. */
function inLocation(name: string): Limit<"address", "location"> {
  return {
    name: `backstop-${name}`,
    by: ["address"],
    max: ADDRESS_CALLS_PER_MINUTE,
    window: MINUTE_MS,
    kept: "location",
  };
}

/**
 * Every limit on calls but those of plans, which are rows of contract/plans.ts, and of what an account may have or
 * create, such as keys. What ends or deletes something only counts as a call: it was limited when it began.
 */
export const LIMITS = {
  // Calls that no plan limits.
  callsPerAccount: inIsolates("calls", ["account"], SESSION_CALLS_PER_MINUTE),
  pageCallsPerAddress: inIsolates("page-calls", ["account", "address"], PAGE_CALLS_PER_MINUTE),
  unknownKeysPerAddress: inIsolates("unknown-keys", ["address"], UNKNOWN_KEYS_PER_MINUTE),
  // Calls that a known key may not make: never toward the limits of those it may.
  refusalsPerKeyAndAddress: inIsolates("refusals", ["key", "address"], REFUSED_CALLS_PER_MINUTE.perKey),
  refusalsPerAddress: inIsolates("refusals-address", ["address"], REFUSED_CALLS_PER_MINUTE.perAddress),
  // Before anything is looked up: each its own, so that a busy demo can't keep a whole office from logging in.
  sessionsInLocation: inLocation("sessions"),
  accountCallsInLocation: inLocation("accounts"),
  documentsInLocation: inLocation("documents"),
  demoInLocation: inLocation("demo"),
  changesPerAccount: inDatabase("changes-account", ["account"], CHANGES_PER_HOUR, HOUR_MS),
  changesPerAddress: inDatabase("changes-address", ["address"], 300, HOUR_MS),
  registerPerAddress: inDatabase("register-address", ["address"], 30, HOUR_MS),
  mailPerAddress: inDatabase("mail-address", ["address"], 30, HOUR_MS),
  tokenPerAddress: inDatabase("token-address", ["address"], 60, HOUR_MS),
  demoPerAddress: inDatabase("demo-address", ["address"], DEMO_LOOKUPS_PER_MINUTE, MINUTE_MS),

  // Guesses: only wrong ones count.
  passwordPerAccountAndAddress: inDatabase("password", ["account", "address"], 10, 15 * MINUTE_MS),
  passwordPerAddress: inDatabase("password-address", ["address"], 100, 15 * MINUTE_MS),
  passwordPerAccount: inDatabase("password-account", ["account"], 50, HOUR_MS),
  // Every password costs a hash, right ones included. By account, a wrong one counts only while it is checked, and the
  // limit is above that of guesses from anywhere, so guessers can't use it up.
  rightPasswordPerAccount: inDatabase("password-right-account", ["account"], 60, HOUR_MS),
  anyPasswordPerAddress: inDatabase("password-any-address", ["address"], 200, HOUR_MS),
  secondFactorPerAccountAndAddress: inDatabase("second-factor", ["account", "address"], 10, 15 * MINUTE_MS),
  secondFactorPerAddress: inDatabase("second-factor-address", ["address"], 100, 15 * MINUTE_MS),
  secondFactorPerAccount: inDatabase("second-factor-account", ["account"], 20, HOUR_MS),
  // A challenge can be used once while it is valid.
  challenge: inDatabase("challenge", ["challenge"], 1, CHALLENGE_MINUTES * MINUTE_MS),

  // Stricter limits of a domain, for an account.
  enrollmentPerAccount: inDatabase("enrollment-account", ["account"], 30, HOUR_MS),
  trialPerAccount: inDatabase("trial-account", ["account"], 20, HOUR_MS),
  passwordChangePerAccount: inDatabase("password-change-account", ["account"], 10, HOUR_MS),
  emailChangePerAccount: inDatabase("email-change-account", ["account"], 10, HOUR_MS),
  exportPerAccount: inDatabase("export-account", ["account"], 10, HOUR_MS),
  // At a domain that isn't an email provider's. All are hashed with the secret of trials, which is never rotated.
  trialsPerDomain: inDatabase("trial-domain", ["domain"], MAX_TRIALS.perDomain, 365 * DAY_MS),
  // What one domain's owner gives away, such as names under duckdns.org.
  trialsPerParent: inDatabase("trial-parent", ["domain"], MAX_TRIALS.perParent, 30 * DAY_MS),
  trialsPerNetwork: inDatabase("trial-network", ["network"], MAX_TRIALS.perNetwork, 30 * DAY_MS),

  // Emails to a mailbox within a day, twenty in all, whatever accounts it has or had, besides links that undo a change of
  // email. Each kind has its own part, so that using one up, as strangers can, takes nothing from the others.
  verificationMail: inDatabase("mail-verification", ["mailbox"], VERIFICATION_EMAILS_PER_DAY, DAY_MS),
  // The same count, up to less than half of it: what is left sends the email of a registration.
  changeMail: inDatabase("mail-verification", ["mailbox"], CHANGE_EMAILS_PER_DAY, DAY_MS),
  resetMail: inDatabase("mail-reset", ["mailbox"], RESET_EMAILS_PER_DAY, DAY_MS),
  alreadyRegisteredMail: inDatabase("mail-registered", ["mailbox"], 2, DAY_MS),
  noticeMail: inDatabase("mail-notice", ["mailbox"], 6, DAY_MS),
  // Links to addresses that nobody has proved, which strangers can make up: see `linkLimits`. Domains of email providers
  // have no limit.
  firstLinksPerNetwork: emailsPerHour("links-network", ["network"], 2),
  linksPerNetwork: emailsPerHour("links-network", ["network"], 10),
  linksPerDomain: emailsPerHour("links-domain", ["domain"], 10),
  // About one kind of change: the first immediately, and one at the end of the window about all the rest.
  notice: inDatabase("notice", ["kind of email", "account"], 2, 10 * MINUTE_MS),
} as const;

/**
 * What the parts of the service's emails may use of an hour, so that using one up, as strangers can, takes nothing from
 * the others. Links that undo a change of email, and the notice of it, may use all, and what these leave is theirs alone.
 */
const MAIL_SHARES = {
  /** Links to unproved addresses. */
  links: 0.5,
  /** To the owners of verified accounts, when anyone asks. */
  requested: 0.2,
  /** About what happened in an account. */
  notices: 0.2,
} as const;

export const MAIL_PARTS = [...(Object.keys(MAIL_SHARES) as (keyof typeof MAIL_SHARES)[]), "undo"] as const;
export type MailPart = (typeof MAIL_PARTS)[number];

/**
 * What an email of a part counts toward: the part, if it has a share, and all.
 * @param perHour the operator's limit
 * @param portion of the part
 */
export function mailLimits(part: MailPart, perHour: number, portion = 1): readonly ExactLimit<never>[] {
  const all = emailsPerHour("service", [], perHour);
  if (part === "undo") return [all];
  return [emailsPerHour(`service-${part}`, [], Math.max(1, Math.floor(MAIL_SHARES[part] * portion * perHour))), all];
}

/**
 * What a link to an unproved address counts toward: the first of these that admit it, or it waits for the next hour. A
 * network's first two depend on no one else while the part lasts. More must leave half of it, and their domain, to others.
 */
export function linkLimits(perHour: number) {
  return [
    [LIMITS.firstLinksPerNetwork, ...mailLimits("links", perHour)],
    [LIMITS.linksPerNetwork, LIMITS.linksPerDomain, ...mailLimits("links", perHour, 0.5)],
  ] as const;
}

/**
 * Marks an account and address that logged in: guessers elsewhere can't lock the owner out there. It limits nothing.
 */
export const KNOWN_ADDRESS = inDatabase("known-address", ["account", "address"], Infinity, 30 * DAY_MS);

/** The limits on guesses at an account's secret. */
export interface GuessLimits {
  readonly perAccountAndAddress: ExactLimit<"account" | "address">;
  readonly perAddress: ExactLimit<"address">;
  /** From anywhere; known addresses are exempt. */
  readonly perAccount: ExactLimit<"account">;
  readonly known: ExactLimit<"account" | "address">;
  /** Right guesses from anywhere; wrong ones are refunded. */
  readonly rightPerAccount?: ExactLimit<"account">;
  /** Right and wrong guesses. */
  readonly anyPerAddress?: ExactLimit<"address">;
}

export const PASSWORD_GUESSES: GuessLimits = {
  perAccountAndAddress: LIMITS.passwordPerAccountAndAddress,
  perAddress: LIMITS.passwordPerAddress,
  perAccount: LIMITS.passwordPerAccount,
  known: KNOWN_ADDRESS,
  rightPerAccount: LIMITS.rightPasswordPerAccount,
  anyPerAddress: LIMITS.anyPasswordPerAddress,
};

export const FACTOR_GUESSES: GuessLimits = {
  perAccountAndAddress: LIMITS.secondFactorPerAccountAndAddress,
  perAddress: LIMITS.secondFactorPerAddress,
  perAccount: LIMITS.secondFactorPerAccount,
  // A guesser who has the password doesn't get this mark.
  known: { ...KNOWN_ADDRESS, name: "known-by-factor" },
};

/**
 * What calls without a credential count toward: first of all with the platform, and exactly once they are well-formed.
 * Passwords count where they are checked.
 */
export const ADDRESS_LIMITS: Readonly<
  Record<
    AddressRate,
    { readonly first: Limit<"address", "location">; readonly exact: readonly ExactLimit<"address">[] }
  >
> = {
  "passwords by address": { first: LIMITS.accountCallsInLocation, exact: [] },
  "registrations by address": { first: LIMITS.accountCallsInLocation, exact: [LIMITS.registerPerAddress] },
  "emails by address": { first: LIMITS.accountCallsInLocation, exact: [LIMITS.mailPerAddress] },
  "links by address": { first: LIMITS.accountCallsInLocation, exact: [LIMITS.tokenPerAddress] },
  "demo lookups by address": { first: LIMITS.demoInLocation, exact: [LIMITS.demoPerAddress] },
  "documents by address": { first: LIMITS.documentsInLocation, exact: [] },
};
