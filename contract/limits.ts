/**
 * Longest `number` we parse, in UTF-16 units. libphonenumber rejects anything longer, and no phone number comes close.
 */
export const MAX_NUMBER_LENGTH = 250;

/** The most numbers in one batch call. */
export const MAX_BATCH_SIZE = 100;

/** The most lines of a stream, and the seconds after which a stream that waits for its limit sends an empty line. */
export const MAX_STREAM_LINES = 100_000;

/** The most rows of a list in the dashboard, not counting the header. */
export const MAX_BULK_ROWS = 100_000;
export const STREAM_SIGN_SECONDS = 10;

/** Largest request body in bytes, except for batch and stream calls; also the longest line of a stream. */
export const MAX_BODY_BYTES = 8 * 1024;

/** Largest request body of a batch call, in bytes. */
export const MAX_BATCH_BODY_BYTES = 64 * 1024;

/** How long a request's body may take to arrive, in seconds. */
export const BODY_TIMEOUT_SECONDS = 30;

/**
 * The most trials in a year at one organization's domain, and in 30 days from one network and from all domains under one
 * whose owner gives them away. Support can start more.
 */
export const MAX_TRIALS = { perDomain: 3, perNetwork: 10, perParent: 10 } as const;

/** The modes of an API key: `test` uses the sandbox, `live` the numbering plans. */
export const KEY_MODES = ["test", "live"] as const;
export type KeyMode = (typeof KEY_MODES)[number];

/** The most active API keys an account may have per mode. */
export const MAX_ACTIVE_KEYS = 10;

/** How many hours a rolled key may keep working beside its replacement. */
export const GRACE_HOURS = [0, 1, 24, 72] as const;

/** The highest monthly cap of a key. */
export const MAX_MONTHLY_CAP = 1_000_000_000;

/** The most origins whose pages may use a key, and such a key's calls per minute and client address. */
export const MAX_ALLOWED_ORIGINS = 10;
export const PAGE_CALLS_PER_MINUTE = 10;

/** The most API keys an account can generate per hour, including those revoked since. */
export const MAX_NEW_KEYS_PER_HOUR = 20;

/** The most emails per day to one mailbox with a link to verify an address, and to reset a password. */
export const VERIFICATION_EMAILS_PER_DAY = 7;
export const RESET_EMAILS_PER_DAY = 5;

/**
 * The most emails per day to one mailbox that a change of email causes. They count as verification emails: the rest
 * of those are for registrations of the address.
 */
export const CHANGE_EMAILS_PER_DAY = 3;

/** Longest name of a person or a key, in UTF-16 units. */
export const MAX_NAME_LENGTH = 100;

/** Password lengths, in code points. */
export const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 256;

/** The longest a session lasts, in days. */
export const SESSION_DAYS = 7;

/** How long a session lasts without use, in hours. */
export const SESSION_IDLE_HOURS = 24;

/** The most sessions per account; another login ends the least recently used one. */
export const MAX_SESSIONS = 50;

/** How long a password counts as recently given, in minutes. */
export const RECENT_PASSWORD_MINUTES = 10;

/** How long a login waits for its second factor, and a passkey for its enrollment, in minutes. */
export const CHALLENGE_MINUTES = 5;

/** How many recovery codes are generated at a time. */
export const RECOVERY_CODES = 10;

/** The most passkeys per account. */
export const MAX_PASSKEYS = 10;

/** How many days a security event is kept, and how many per account. */
export const SECURITY_EVENT_DAYS = 90;
export const MAX_SECURITY_EVENTS = 500;

/** How many days an account keeps an unverified address. */
export const UNVERIFIED_DAYS = 30;

/** How long the links in emails work, in hours. */
export const EMAIL_TOKEN_HOURS = {
  verify_email: 24,
  reset_password: 1,
  change_email: 24,
  undo_email_change: 72,
} as const;

/** How many days before a change of email an undo reaches back at most. */
export const UNDO_DAYS = 7;

/** The most days of a usage report. */
export const MAX_REPORT_DAYS = 366;

/** Calls of an account's sessions per minute, and changes among them per hour: a visible dashboard makes about ten calls per minute. */
export const SESSION_CALLS_PER_MINUTE = 120;
export const CHANGES_PER_HOUR = 120;

/** Calls without an API key per minute, location, and client address, by kind; wrangler.toml has it too. */
export const ADDRESS_CALLS_PER_MINUTE = 600;

/** Unknown API keys per minute and client address. */
export const UNKNOWN_KEYS_PER_MINUTE = 120;

/** Calls per minute and client address that a key may not make: with one key, and with all. */
export const REFUSED_CALLS_PER_MINUTE = { perKey: 60, perAddress: 120 } as const;

/** The demo's lookups per minute and client address, besides the sandbox's own numbers. */
export const DEMO_LOOKUPS_PER_MINUTE = 15;

/** Numbers outside the sandbox's own that all test keys of an account may look up per UTC day. */
export const TEST_LOOKUPS_PER_DAY = 1_000;
