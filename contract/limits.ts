/** Longest `number` that is read, in UTF-16 units. libphonenumber refuses anything longer, and no phone number comes close. */
export const MAX_NUMBER_LENGTH = 250;

/** Most numbers in one batch call. */
export const MAX_BATCH_SIZE = 100;

/** Most lines of a stream, and the seconds after which one that waits for its limit sends an empty line. */
export const MAX_STREAM_LINES = 100_000;
export const STREAM_SIGN_SECONDS = 10;

/** Largest request body in bytes, for every call but batch and stream; also the longest line of a stream. */
export const MAX_BODY_BYTES = 8 * 1024;

/** Largest request body of a batch call in bytes. */
export const MAX_BATCH_BODY_BYTES = 64 * 1024;

/** How long the body of a request may take to arrive, in seconds. */
export const BODY_TIMEOUT_SECONDS = 30;

/** The free trial: its length in days, and how many successful live verifications it holds. */
export const TRIAL = { days: 14, quota: 1_000 } as const;

/** What a live key is billed under. */
export const PLANS = ["trial", "pro"] as const;
export type Plan = (typeof PLANS)[number];

/** What an API key is for: `test` answers from the sandbox, `live` from the numbering plans. */
export const KEY_MODES = ["test", "live"] as const;
export type KeyMode = (typeof KEY_MODES)[number];

/** Most active API keys an account has in each mode. */
export const MAX_ACTIVE_KEYS = 10;

/** How many hours a key that is rolled may go on working beside the one that takes its place. */
export const GRACE_HOURS = [0, 1, 24, 72] as const;

/** Most that a key's monthly cap can be. */
export const MAX_MONTHLY_CAP = 1_000_000_000;

/** Most API keys that an account generates in an hour, those that it has revoked since included. */
export const MAX_NEW_KEYS_PER_HOUR = 20;
/** Most emails with a link to verify an address, and with one to reset a password, that go to an address within an hour. */
export const VERIFICATION_EMAILS_PER_HOUR = 10;
export const RESET_EMAILS_PER_HOUR = 5;

/** Longest name of a person or a key, in UTF-16 units. */
export const MAX_NAME_LENGTH = 100;

/** Lengths of a password, in code points. */
export const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 256;

/** How long a session lasts at most, in days. */
export const SESSION_DAYS = 7;

/** How long a session lasts without use, in hours. */
export const SESSION_IDLE_HOURS = 24;

/** Most sessions of an account; another login ends the one that was used least recently. */
export const MAX_SESSIONS = 50;

/** How long a password counts as just given, in minutes. */
export const RECENT_PASSWORD_MINUTES = 10;

/** How long a login waits for its second factor, and a passkey for its enrollment, in minutes. */
export const CHALLENGE_MINUTES = 5;

/** How many recovery codes are made at once. */
export const RECOVERY_CODES = 10;

/** Most passkeys of an account. */
export const MAX_PASSKEYS = 10;

/** How long a security event is kept, in days, and how many of an account are. */
export const SECURITY_EVENT_DAYS = 90;
export const MAX_SECURITY_EVENTS = 500;

/** How long an account keeps an address that nobody verified, in days. */
export const UNVERIFIED_DAYS = 30;

/** How long the links in emails work, in milliseconds. */
export const EMAIL_TOKEN_HOURS = { verify_email: 24, reset_password: 1 } as const;

/** Most days of a usage report. */
export const MAX_REPORT_DAYS = 366;

/** Requests per minute, for each account: all test keys together, and all live keys together by plan. A batch is one request. */
export const REQUESTS_PER_MINUTE = { test: 60, trial: 60, pro: 600 } as const satisfies Record<"test" | Plan, number>;

/**
 * Numbers per minute in those requests. A call of any size is admitted while there is room at all; what exceeds the room is taken off
 * the minutes that follow.
 */
export const NUMBERS_PER_MINUTE = { test: 600, trial: 1_000, pro: 60_000 } as const satisfies Record<
  "test" | Plan,
  number
>;

/** Lookups per minute that the demo on the landing page gives to a client's address. */
export const DEMO_LOOKUPS_PER_MINUTE = 5;

/** Successful live verifications that a plan holds; null for no limit. */
export const PLAN_QUOTA: Record<Plan, number | null> = { trial: TRIAL.quota, pro: null };

/** Numbers a day, UTC, that all test keys of an account look up besides the sandbox's own, which are free. */
export const TEST_LOOKUPS_PER_DAY = 1_000;
