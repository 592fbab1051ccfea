import { sql } from "drizzle-orm";
import { KEY_MODES } from "./contract/limits.ts";
import { PLAN_IDS } from "./contract/plans.ts";
import { COMPONENTS } from "./contract/checks.ts";
import { SECURITY_EVENT_KINDS } from "./contract/security-events.ts";
import { check, index, integer, primaryKey, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";

/**
 * Every table. Times are milliseconds since the Unix epoch, UTC; days are "YYYY-MM-DD", UTC. Ids have a prefix (`usr_`,
 * `key_`). No table contains a verified phone number, an API key, or a token: keys and tokens are stored as SHA-256, in
 * hex. No constraint lists the values of a column that get more, such as plans: a new one needs no migration.
 */

export const users = sqliteTable(
  "users",
  {
    id: text().primaryKey(),
    email: text().notNull().unique(),
    name: text().notNull(),
    passwordHash: text("password_hash").notNull(),
    /** When the address was confirmed; null until then. */
    verifiedAt: integer("verified_at"),
    /** When an operator suspended the account; null otherwise. */
    suspendedAt: integer("suspended_at"),
    /** Raised to end every session that began under a lower one. */
    sessionEpoch: integer("session_epoch").notNull().default(0),
    createdAt: integer("created_at").notNull(),
    /** When the account's ledger was created, by its first verification; null before, when nothing has been counted. */
    meteredAt: integer("metered_at"),
    /** The size of its ledger as of its last daily alarm, if that is large; null for all others. */
    ledgerBytes: integer("ledger_bytes"),
  },
  (table) => [
    check("users_email_lower_case", sql`${table.email} = lower(${table.email})`),
    index("users_unverified")
      .on(table.createdAt)
      .where(sql`${table.verifiedAt} is null`),
    index("users_suspended")
      .on(table.suspendedAt)
      .where(sql`${table.suspendedAt} is not null`),
    index("users_large_ledgers")
      .on(table.ledgerBytes)
      .where(sql`${table.ledgerBytes} is not null`),
  ],
);

/** A logged-in browser. Valid while its epoch is the account's and its token's `password_at` is the row's. */
export const sessions = sqliteTable(
  "sessions",
  {
    id: text().primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The account's epoch when it began. */
    epoch: integer().notNull(),
    createdAt: integer("created_at").notNull(),
    /** The hour of its last use. */
    lastUsedAt: integer("last_used_at").notNull(),
    /** When the password was last given in it. Giving it again invalidates all earlier tokens of the session. */
    passwordAt: integer("password_at").notNull(),
    /** "Chrome on Windows": worker/accounts/device.ts has all possible texts. */
    browser: text().notNull(),
    /** ISO 3166-1 alpha-2, of the address it began from; null if unknown. */
    country: text(),
  },
  (table) => [index("sessions_user").on(table.userId), index("sessions_last_used").on(table.lastUsedAt)],
);

/** The name of the constraint that ends a batch of an ended session. */
export const SESSION_HAS_ENDED = "session_has_ended";

/**
 * Always empty: worker/accounts/change.ts inserts a row if a session has ended, which the constraint rejects together
 * with everything else in the batch.
 */
export const sessionGuard = sqliteTable("session_guard", { ended: integer().notNull() }, (table) => [
  check(SESSION_HAS_ENDED, sql`${table.ended} = 0`),
]);

/** An account's authenticator app, a second factor once a code has confirmed it. */
export const totp = sqliteTable("totp", {
  userId: text("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** Encrypted: worker/accounts/second-factor/totp.ts. */
  secret: text().notNull(),
  confirmedAt: integer("confirmed_at"),
  /**
   * The latest period of 30 seconds, counted from the Unix epoch, whose code was used: neither it nor an earlier one
   * works again.
   */
  lastStep: integer("last_step").notNull().default(0),
});

/** Public keys that are second factors. */
export const passkeys = sqliteTable(
  "passkeys",
  {
    id: text().primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    name: text().notNull(),
    /** base64url, as received from the browser. */
    credentialId: text("credential_id").notNull().unique(),
    /** A COSE_Key (RFC 9052), in base64url. */
    publicKey: text("public_key").notNull(),
    /** The authenticator's counter; 0 for those without one. It never decreases, unless the passkey was cloned. */
    counter: integer().notNull(),
    /** The browser's transports for it: a JSON list. */
    transports: text({ mode: "json" }).$type<readonly string[]>().notNull(),
    createdAt: integer("created_at").notNull(),
    lastUsedAt: integer("last_used_at"),
  },
  (table) => [index("passkeys_user").on(table.userId)],
);

/** Unused recovery codes. */
export const recoveryCodes = sqliteTable(
  "recovery_codes",
  {
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** SHA-256, in hex: a code has 120 random bits. */
    hash: text().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.hash] })],
);

/** Security events of an account, for its owner. */
export const securityEvents = sqliteTable(
  "security_events",
  {
    id: text().primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text({ enum: SECURITY_EVENT_KINDS }).notNull(),
    at: integer().notNull(),
    /** The name of the affected key, passkey, or session, or the email address. */
    about: text(),
    /** As in `sessions`; null if an operator did it. */
    browser: text(),
    country: text(),
  },
  (table) => [index("security_events_user").on(table.userId, table.at), index("security_events_at").on(table.at)],
);

/**
 * Single-use tokens for emails. The row is created when the email is requested, the token when it is sent: until then
 * `hash` is null, so neither queue nor database ever holds a token.
 */
export const emailTokens = sqliteTable(
  "email_tokens",
  {
    id: text().primaryKey(),
    hash: text().unique(),
    /** Null for an email that no one gets, written so that requesting it takes the same time for any address. */
    userId: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    purpose: text({ enum: ["verify_email", "reset_password", "change_email", "undo_email_change"] }).notNull(),
    /** The registration that a verification link was sent for, which may not have been kept; null for other links. */
    registrationId: text("registration_id"),
    /**
     * The address that a change is to, or that an undo restores; the link is sent there. Of a used undo link, the address
     * it took the account back from. Null for other links.
     */
    email: text(),
    createdAt: integer("created_at").notNull(),
    /** An undo link ends what was added from this time on; null for other links. */
    since: integer(),
    expiresAt: integer("expires_at").notNull(),
    usedAt: integer("used_at"),
  },
  (table) => [index("email_tokens_user").on(table.userId), index("email_tokens_expiry").on(table.expiresAt)],
);

/**
 * Registrations of an unverified address, the first twenty. One of them takes effect when the address is verified, so
 * that a stranger's name and password never become the owner's. Until then, the account itself has no password.
 */
export const registrations = sqliteTable(
  "registrations",
  {
    id: text().primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** SHA-256, in hex, of the nonce that the registering browser keeps; null if it sent none. */
    verifier: text(),
    name: text().notNull(),
    passwordHash: text("password_hash").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [unique("registrations_verifier").on(table.userId, table.verifier)],
);

/** Who has had a trial: prevents another one under a variation of the same address. */
export const trialClaims = sqliteTable(
  "trial_claims",
  {
    /** Keyed hash of the normalized address. */
    hash: text().primaryKey(),
    /** The account; null once it is deleted. */
    userId: text("user_id"),
    /** When the row is deleted; null while the account exists. */
    expiresAt: integer("expires_at"),
  },
  (table) => [index("trial_claims_user").on(table.userId), index("trial_claims_expiry").on(table.expiresAt)],
);

/** One row per account: a trial leaves its row behind, which limits it to once per account. */
export const subscriptions = sqliteTable(
  "subscriptions",
  {
    userId: text("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    plan: text({ enum: PLAN_IDS }).notNull(),
    /** Set by an operator or the trial; whether it is active also depends on `expires_at`. */
    status: text({ enum: ["active", "ended"] }).notNull(),
    startedAt: integer("started_at").notNull(),
    expiresAt: integer("expires_at"),
    /** The end date in the last notice to its owner, so that an extended trial is announced again. */
    expiryNoticeFor: integer("expiry_notice_for"),
  },
  (table) => [
    check("subscriptions_status", sql`${table.status} in ('active', 'ended')`),
    index("subscriptions_expiry").on(table.expiresAt),
  ],
);

export const apiKeys = sqliteTable(
  "api_keys",
  {
    id: text().primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    mode: text({ enum: KEY_MODES }).notNull(),
    name: text().notNull(),
    hash: text().notNull().unique(),
    /** Last four characters of the key, to tell keys apart in lists. */
    hint: text().notNull(),
    /** Raised with every change, so that an older copy from KV never replaces a newer one. */
    version: integer().notNull().default(1),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    revokedAt: integer("revoked_at"),
    /** When it expires: its original expiry, or the end of its grace period once rolled; null for never. */
    expiresAt: integer("expires_at"),
    /** When another key replaced it; null until then. */
    rolledAt: integer("rolled_at"),
    /** The first key that this one was rolled from, which cap usage is counted under; null for itself. */
    rootId: text("root_id"),
    /** A live key's limit of successful verifications per calendar month, UTC; null for no limit. */
    monthlyCap: integer("monthly_cap"),
    /** A live key for web pages works only from pages of these origins; empty for all others. */
    allowedOrigins: text("allowed_origins", { mode: "json" }).$type<string[]>().notNull().default([]),
    /** When its cap or its origins last changed; null for never. */
    limitsChangedAt: integer("limits_changed_at"),
    /** The browser and country it was created from, in words; null if unknown. */
    createdFrom: text("created_from"),
    /** The `updated_at` of the last change that KV certainly has; null or older than `updated_at` if there is a later one. */
    syncedAt: integer("synced_at"),
    /** The `updated_at` before the last change; null for a new key. */
    previousAt: integer("previous_at"),
  },
  (table) => [
    check("api_keys_mode", sql`${table.mode} in ('test', 'live')`),
    index("api_keys_user").on(table.userId, table.mode),
    index("api_keys_unsynced")
      .on(table.updatedAt)
      .where(sql`${table.syncedAt} is null or ${table.syncedAt} < ${table.updatedAt}`),
    index("api_keys_unsynced_revoked")
      .on(table.updatedAt)
      .where(
        sql`(${table.syncedAt} is null or ${table.syncedAt} < ${table.updatedAt}) and ${table.revokedAt} is not null`,
      ),
  ],
);

/** Keys without a row, of deleted accounts or a restored database, until KV certainly has their tombstones. */
export const erasedKeys = sqliteTable("erased_keys", {
  /** SHA-256 of the key, in hex. */
  hash: text().primaryKey(),
  /** When it was added. */
  at: integer().notNull(),
});

/**
 * An account's verifications in a month ("YYYY-MM", UTC), written by its ledger once per day: for operators, and as a
 * record of what was billed.
 */
export const usageMonths = sqliteTable(
  "usage_months",
  {
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    month: text().notNull(),
    liveSuccessful: integer("live_successful").notNull(),
    liveFailed: integer("live_failed").notNull(),
    testSuccessful: integer("test_successful").notNull(),
    testFailed: integer("test_failed").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.month] })],
);

/** Counters that slow down guessing. The subject is a keyed hash of accounts and addresses, never either itself. */
export const signInAttempts = sqliteTable(
  "sign_in_attempts",
  {
    subject: text().primaryKey(),
    count: integer().notNull(),
    windowEndsAt: integer("window_ends_at").notNull(),
  },
  (table) => [index("sign_in_attempts_expiry").on(table.windowEndsAt)],
);

/**
 * Queue messages that failed permanently, kept until an operator has looked. They contain ids, never anything personal.
 */
export const deadLetters = sqliteTable("dead_letters", {
  id: text().primaryKey(),
  queue: text().notNull(),
  /** The message as JSON. */
  body: text().notNull(),
  receivedAt: integer("received_at").notNull(),
});

/** Checks of the service's own parts, a row for consecutive ones of a day with the same outcome. Shown on the status page. */
export const statusRuns = sqliteTable(
  "status_runs",
  {
    component: text({ enum: COMPONENTS }).notNull(),
    /** When its first and last check began. */
    startedAt: integer("started_at").notNull(),
    lastAt: integer("last_at").notNull(),
    successful: integer({ mode: "boolean" }).notNull(),
    checks: integer().notNull(),
    /** How long the last took, in milliseconds; null when it failed. For verifications, which are many, the median. */
    latencyMs: integer("latency_ms"),
    /** Their 95th percentile; null for the other parts, and when it failed. */
    p95Ms: integer("p95_ms"),
  },
  (table) => [primaryKey({ columns: [table.component, table.startedAt] })],
);

/** The first and the last run of each scheduled job. */
export const cronRuns = sqliteTable("cron_runs", {
  job: text().primaryKey(),
  /** When it was first recorded: since then the others have been due too. */
  firstStartedAt: integer("first_started_at").notNull(),
  startedAt: integer("started_at").notNull(),
  durationMs: integer("duration_ms").notNull(),
  /** When it last succeeded and last failed; null for never. */
  succeededAt: integer("succeeded_at"),
  failedAt: integer("failed_at"),
});

/** How full each limited resource was when last measured. */
export const capacities = sqliteTable("capacities", {
  /** A name from contract/status.ts, which determines whether it is a size in bytes, an age in milliseconds, or a number. */
  name: text().primaryKey(),
  used: integer().notNull(),
  most: integer().notNull(),
  measuredAt: integer("measured_at").notNull(),
});

/**
 * Daily counts for operators, from queue consumers and scheduled jobs. Requests only count emails that they could not
 * queue.
 */
export const operationCounts = sqliteTable(
  "operation_counts",
  {
    day: text().notNull(),
    /** A name from worker/operations/counters.ts. */
    counter: text().notNull(),
    count: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.counter] })],
);
