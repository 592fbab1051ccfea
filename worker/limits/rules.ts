import {
  CHALLENGE_MINUTES,
  DEMO_LOOKUPS_PER_MINUTE,
  RESET_EMAILS_PER_HOUR,
  VERIFICATION_EMAILS_PER_HOUR,
} from "../../contract/limits.ts";
import { HOUR_MS, MINUTE_MS } from "../platform/time.ts";

/** So many attempts in a window that starts with the first of them. */
export interface AttemptRule {
  readonly name: string;
  readonly limit: number;
  /** Milliseconds. */
  readonly window: number;
}

/**
 * Every limit on what needs no API key. Sign-ins and password prompts count failures only. New keys are counted where they are
 * stored; revoking, signing out and deleting have no limit.
 */
export const ATTEMPT_RULES = {
  passwordPerAccountAndAddress: { name: "password", limit: 10, window: 15 * MINUTE_MS },
  passwordPerAddress: { name: "password-address", limit: 100, window: 15 * MINUTE_MS },
  passwordPerAccount: { name: "password-account", limit: 50, window: HOUR_MS },
  secondFactorPerAccountAndAddress: { name: "second-factor", limit: 10, window: 15 * MINUTE_MS },
  secondFactorPerAddress: { name: "second-factor-address", limit: 100, window: 15 * MINUTE_MS },
  secondFactorPerAccount: { name: "second-factor-account", limit: 20, window: HOUR_MS },
  enrollmentPerAccount: { name: "enrollment-account", limit: 30, window: HOUR_MS },
  registerPerAddress: { name: "register-address", limit: 30, window: HOUR_MS },
  // To an address, by what they are for: strangers who use one up leave the other, and leave its owner links that work.
  verificationMailPerAccount: { name: "mail-verification", limit: VERIFICATION_EMAILS_PER_HOUR, window: HOUR_MS },
  resetMailPerAccount: { name: "mail-reset", limit: RESET_EMAILS_PER_HOUR, window: HOUR_MS },
  mailPerAddress: { name: "mail-address", limit: 30, window: HOUR_MS },
  demoPerAddress: { name: "demo-address", limit: DEMO_LOOKUPS_PER_MINUTE, window: MINUTE_MS },
  trialPerAccount: { name: "trial-account", limit: 20, window: HOUR_MS },
  resendPerAccount: { name: "resend-account", limit: 20, window: HOUR_MS },
  passwordChangePerAccount: { name: "password-change-account", limit: 10, window: HOUR_MS },
  exportPerAccount: { name: "export-account", limit: 10, window: HOUR_MS },
  tokenPerAddress: { name: "token-address", limit: 60, window: HOUR_MS },
} as const satisfies Record<string, AttemptRule>;

/** Emails about changes of one kind to one account: the first at once, and one at the end of the window about all that followed. */
export const NOTICE_RULE: AttemptRule = { name: "notice", limit: 2, window: 10 * MINUTE_MS };

/** The mark on an account and address that logged in: guessers elsewhere cannot lock the owner out there. It limits nothing. */
export const KNOWN_ADDRESS: AttemptRule = { name: "known-address", limit: Infinity, window: 30 * 24 * HOUR_MS };

/** The same for second factors: a guesser who has the password is not known by it. */
const KNOWN_BY_FACTOR: AttemptRule = { ...KNOWN_ADDRESS, name: "known-by-factor" };

/** How guesses of a secret of an account are counted. */
export interface GuessRules {
  readonly perAccountAndAddress: AttemptRule;
  readonly perAddress: AttemptRule;
  /** From anywhere; known addresses are spared it. */
  readonly perAccount: AttemptRule;
  readonly known: AttemptRule;
}

export const PASSWORD_GUESSES: GuessRules = {
  perAccountAndAddress: ATTEMPT_RULES.passwordPerAccountAndAddress,
  perAddress: ATTEMPT_RULES.passwordPerAddress,
  perAccount: ATTEMPT_RULES.passwordPerAccount,
  known: KNOWN_ADDRESS,
};

export const FACTOR_GUESSES: GuessRules = {
  perAccountAndAddress: ATTEMPT_RULES.secondFactorPerAccountAndAddress,
  perAddress: ATTEMPT_RULES.secondFactorPerAddress,
  perAccount: ATTEMPT_RULES.secondFactorPerAccount,
  known: KNOWN_BY_FACTOR,
};

/** A challenge is used once while it lasts. */
export const CHALLENGE_RULE: AttemptRule = { name: "challenge", limit: 1, window: CHALLENGE_MINUTES * MINUTE_MS };
