import {
  CHALLENGE_MINUTES,
  CHANGE_EMAILS_PER_DAY,
  CHANGES_PER_HOUR,
  DEMO_LOOKUPS_PER_MINUTE,
  MAX_TRIALS,
  RESET_EMAILS_PER_DAY,
  VERIFICATION_EMAILS_PER_DAY,
} from "../../contract/limits.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../platform/time.ts";

/** This many attempts in a window that starts with the first. */
export interface AttemptRule {
  readonly name: string;
  readonly limit: number;
  /** Milliseconds. */
  readonly window: number;
}

/**
 * Every exact limit on calls without an API key. Those on guesses count failures only. New keys are counted where they
 * are stored. What ends or deletes something only counts as a call: it was limited when it began.
 */
export const ATTEMPT_RULES = {
  passwordPerAccountAndAddress: { name: "password", limit: 10, window: 15 * MINUTE_MS },
  passwordPerAddress: { name: "password-address", limit: 100, window: 15 * MINUTE_MS },
  passwordPerAccount: { name: "password-account", limit: 50, window: HOUR_MS },
  // Every password costs a hash, right ones included. By account, a wrong one counts only while it is checked, and the
  // limit is above that of guesses from anywhere, so guessers can't use it up.
  rightPasswordPerAccount: { name: "password-right-account", limit: 60, window: HOUR_MS },
  anyPasswordPerAddress: { name: "password-any-address", limit: 200, window: HOUR_MS },
  secondFactorPerAccountAndAddress: { name: "second-factor", limit: 10, window: 15 * MINUTE_MS },
  secondFactorPerAddress: { name: "second-factor-address", limit: 100, window: 15 * MINUTE_MS },
  secondFactorPerAccount: { name: "second-factor-account", limit: 20, window: HOUR_MS },
  enrollmentPerAccount: { name: "enrollment-account", limit: 30, window: HOUR_MS },
  registerPerAddress: { name: "register-address", limit: 30, window: HOUR_MS },
  mailPerAddress: { name: "mail-address", limit: 30, window: HOUR_MS },
  demoPerAddress: { name: "demo-address", limit: DEMO_LOOKUPS_PER_MINUTE, window: MINUTE_MS },
  trialPerAccount: { name: "trial-account", limit: 20, window: HOUR_MS },
  changesPerAccount: { name: "changes-account", limit: CHANGES_PER_HOUR, window: HOUR_MS },
  changesPerAddress: { name: "changes-address", limit: 300, window: HOUR_MS },
  passwordChangePerAccount: { name: "password-change-account", limit: 10, window: HOUR_MS },
  emailChangePerAccount: { name: "email-change-account", limit: 10, window: HOUR_MS },
  exportPerAccount: { name: "export-account", limit: 10, window: HOUR_MS },
  tokenPerAddress: { name: "token-address", limit: 60, window: HOUR_MS },
} as const satisfies Record<string, AttemptRule>;

/**
 * The most emails to a mailbox within a day, twenty in all, whatever accounts it has or had, besides links that undo a
 * change of email. Each purpose has its own part, so that using one up, as strangers can, takes nothing from the others.
 */
export const MAIL_RULES = {
  verification: { name: "mail-verification", limit: VERIFICATION_EMAILS_PER_DAY, window: DAY_MS },
  // The same count, up to less than half of it: what is left sends the email of a registration.
  change: { name: "mail-verification", limit: CHANGE_EMAILS_PER_DAY, window: DAY_MS },
  reset: { name: "mail-reset", limit: RESET_EMAILS_PER_DAY, window: DAY_MS },
  alreadyRegistered: { name: "mail-registered", limit: 2, window: DAY_MS },
  notice: { name: "mail-notice", limit: 6, window: DAY_MS },
} as const satisfies Record<string, AttemptRule>;

/**
 * Trials started at one domain that isn't an email provider's, and from one network. Their subjects are hashed with the
 * secret of trials, which is never rotated.
 */
export const TRIAL_RULES = {
  perDomain: { name: "trial-domain", limit: MAX_TRIALS.perDomain, window: 365 * DAY_MS },
  perNetwork: { name: "trial-network", limit: MAX_TRIALS.perNetwork, window: 30 * DAY_MS },
} as const satisfies Record<string, AttemptRule>;

/** All emails of the service. @param limit the operator's */
export function serviceMailRule(limit: number): AttemptRule {
  return { name: "mail-service", limit, window: HOUR_MS };
}

/**
 * Emails about one kind of change to one account: the first immediately, and one at the end of the window about all the
 * rest.
 */
export const NOTICE_RULE: AttemptRule = { name: "notice", limit: 2, window: 10 * MINUTE_MS };

/**
 * Marks an account and address that logged in: guessers elsewhere can't lock the owner out there. It limits nothing.
 */
export const KNOWN_ADDRESS: AttemptRule = { name: "known-address", limit: Infinity, window: 30 * DAY_MS };

/** The same for second factors: a guesser who has the password doesn't get this mark. */
const KNOWN_BY_FACTOR: AttemptRule = { ...KNOWN_ADDRESS, name: "known-by-factor" };

/** The rules for guesses at an account's secret. */
export interface GuessRules {
  readonly perAccountAndAddress: AttemptRule;
  readonly perAddress: AttemptRule;
  /** From anywhere; known addresses are exempt. */
  readonly perAccount: AttemptRule;
  readonly known: AttemptRule;
  /** Right guesses from anywhere; wrong ones are refunded. */
  readonly rightPerAccount?: AttemptRule;
  /** Right and wrong guesses. */
  readonly anyPerAddress?: AttemptRule;
}

export const PASSWORD_GUESSES: GuessRules = {
  perAccountAndAddress: ATTEMPT_RULES.passwordPerAccountAndAddress,
  perAddress: ATTEMPT_RULES.passwordPerAddress,
  perAccount: ATTEMPT_RULES.passwordPerAccount,
  known: KNOWN_ADDRESS,
  rightPerAccount: ATTEMPT_RULES.rightPasswordPerAccount,
  anyPerAddress: ATTEMPT_RULES.anyPasswordPerAddress,
};

export const FACTOR_GUESSES: GuessRules = {
  perAccountAndAddress: ATTEMPT_RULES.secondFactorPerAccountAndAddress,
  perAddress: ATTEMPT_RULES.secondFactorPerAddress,
  perAccount: ATTEMPT_RULES.secondFactorPerAccount,
  known: KNOWN_BY_FACTOR,
};

/** A challenge can be used once while it is valid. */
export const CHALLENGE_RULE: AttemptRule = { name: "challenge", limit: 1, window: CHALLENGE_MINUTES * MINUTE_MS };
