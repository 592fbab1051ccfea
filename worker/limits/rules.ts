import { DEMO_LOOKUPS_PER_MINUTE } from "../../contract/limits.ts";

/** So many attempts in a window that starts with the first of them. */
export interface AttemptRule {
  readonly name: string;
  readonly limit: number;
  /** Milliseconds. */
  readonly window: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Every limit on what needs no API key. Sign-ins and password prompts count failures only. */
export const ATTEMPT_RULES = {
  passwordPerAccountAndAddress: { name: "password", limit: 10, window: 15 * MINUTE },
  passwordPerAddress: { name: "password-address", limit: 100, window: 15 * MINUTE },
  passwordPerAccount: { name: "password-account", limit: 50, window: HOUR },
  registerPerAddress: { name: "register-address", limit: 30, window: HOUR },
  mailPerAccount: { name: "mail-account", limit: 5, window: HOUR },
  mailPerAddress: { name: "mail-address", limit: 30, window: HOUR },
  demoPerAddress: { name: "demo-address", limit: DEMO_LOOKUPS_PER_MINUTE, window: MINUTE },
  tokenPerAddress: { name: "token-address", limit: 60, window: HOUR },
} as const satisfies Record<string, AttemptRule>;

/** The mark on an account and address that signed in: guessers elsewhere cannot lock the owner out there. It limits nothing. */
export const KNOWN_ADDRESS: AttemptRule = { name: "known-address", limit: Infinity, window: 30 * 24 * HOUR };
