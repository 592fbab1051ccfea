import * as v from "valibot";
import { KEY_MODES, PLANS } from "../../contract/limits.ts";
import { USAGE_OUTCOMES } from "../usage/event.ts";

/** Raised when a file of an earlier version could be misunderstood. */
export const BACKUP_VERSION = 1;

const id = v.pipe(v.string(), v.regex(/^\w{1,40}$/));
const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** Milliseconds since the Unix epoch. */
const time = whole;
const sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
/** As `hashPassword` stores it. */
const passwordHash = v.pipe(v.string(), v.regex(/^scrypt(\$\d{1,7}){3}(\$[A-Za-z0-9+/]+=*){2}$/));

/**
 * The lines that stand for rows, by their type: every column of the row under its own name. What is in no backup is in none of them:
 * `synced_at`, which an import leaves empty so that KV hears of every key, and the tables that are not named here.
 */
const ROWS = {
  account: v.strictObject({
    type: v.literal("account"),
    id,
    email: v.pipe(v.string(), v.regex(/^[^\sA-Z]+@[^\sA-Z]+$/)),
    name: v.string(),
    password_hash: passwordHash,
    verified_at: v.nullable(time),
    suspended_at: v.nullable(time),
    session_epoch: whole,
    created_at: time,
  }),
  subscription: v.strictObject({
    type: v.literal("subscription"),
    user_id: id,
    plan: v.picklist(PLANS),
    status: v.picklist(["active", "ended"]),
    started_at: time,
    expires_at: v.nullable(time),
    quota_notice: whole,
    expiry_notice_for: v.nullable(time),
  }),
  key: v.strictObject({
    type: v.literal("key"),
    id,
    user_id: id,
    mode: v.picklist(KEY_MODES),
    name: v.string(),
    hash: sha256,
    hint: v.string(),
    version: whole,
    created_at: time,
    updated_at: time,
    revoked_at: v.nullable(time),
    last_used_at: v.nullable(time),
  }),
  link: v.strictObject({
    type: v.literal("link"),
    id,
    hash: v.nullable(sha256),
    user_id: id,
    purpose: v.picklist(["verify_email", "reset_password"]),
    pending_name: v.nullable(v.string()),
    pending_password_hash: v.nullable(passwordHash),
    expires_at: time,
    used_at: v.nullable(time),
  }),
  usage: v.strictObject({
    type: v.literal("usage"),
    user_id: id,
    mode: v.picklist(KEY_MODES),
    day: v.pipe(v.string(), v.isoDate()),
    country_code: v.pipe(v.string(), v.regex(/^[A-Z]{2}$/)),
    outcome: v.picklist(USAGE_OUTCOMES),
    count: whole,
  }),
} as const;

export type RowType = keyof typeof ROWS;
export type BackupRow = v.InferOutput<(typeof ROWS)[RowType]>;

/** How many rows of each type there are. */
export type RowCounts = Record<RowType, number>;

export function noRows(): RowCounts {
  return { account: 0, subscription: 0, key: 0, link: 0, usage: 0 };
}

/**
 * The tables in the order in which their rows can be written. `order` begins with the account and names a row uniquely; `unique` is the
 * column, if any, in which two rows must not be alike besides the primary key.
 */
export const TABLES = {
  account: { table: "users", primaryKey: ["id"], order: ["id"], unique: "email" },
  subscription: { table: "subscriptions", primaryKey: ["user_id"], order: ["user_id"], unique: null },
  key: { table: "api_keys", primaryKey: ["id"], order: ["user_id", "id"], unique: "hash" },
  link: { table: "email_tokens", primaryKey: ["id"], order: ["user_id", "id"], unique: "hash" },
  usage: {
    table: "usage_daily",
    primaryKey: ["user_id", "mode", "day", "country_code", "outcome"],
    order: ["user_id", "mode", "day", "country_code", "outcome"],
    unique: null,
  },
} as const satisfies Record<RowType, unknown>;

export const ROW_TYPES = Object.keys(TABLES) as readonly RowType[];

/** The columns of a type's rows. */
export function columnsOf(type: RowType): string[] {
  return Object.keys(ROWS[type].entries).filter((name) => name !== "type");
}

const FORMAT = "checkline-backup";

const Header = v.object({ type: v.literal("header"), format: v.literal(FORMAT), version: v.number() });

const End = v.strictObject({
  type: v.literal("end"),
  rows: v.strictObject({ account: whole, subscription: whole, key: whole, link: whole, usage: whole }),
});

export function headerLine(now: number): object {
  return { type: "header", format: FORMAT, version: BACKUP_VERSION, created_at: new Date(now).toISOString() };
}

export function endLine(rows: RowCounts): object {
  return { type: "end", rows };
}

/** A file that cannot be imported, or a database that it cannot go into. Its message is for the operator and names no value. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}

function fail(line: number, what: string): never {
  throw new BackupError(`Line ${line}: ${what}`);
}

function parseJson(text: string, line: number): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return fail(line, "this is not JSON.");
  }
}

/** @throws BackupError unless this is the first line of a backup that this version reads. */
export function readHeader(text: string): void {
  const parsed = v.safeParse(Header, parseJson(text, 1));
  if (!parsed.success) fail(1, "a backup begins with its header, and this is none.");
  const { version } = parsed.output;
  if (version !== BACKUP_VERSION) fail(1, `the backup has version ${version}, and only ${BACKUP_VERSION} can be read.`);
}

const Line = v.variant("type", [...Object.values(ROWS), End]);

/**
 * The row in a line, or what the end line says.
 * @param line its number in the file, from 1
 * @throws BackupError that names the line and the fields that are wrong, missing or unknown, never what they hold
 */
export function readLine(text: string, line: number): v.InferOutput<typeof Line> {
  const parsed = v.safeParse(Line, parseJson(text, line));
  if (parsed.success) return parsed.output;
  const [first] = parsed.issues;
  const type = (first.path?.[0]?.input as { type?: unknown } | undefined)?.type;
  const known = [...ROW_TYPES, "end"].find((name) => name === type);
  if (known === undefined) fail(line, "there is no such type of line.");
  const fields = new Set(parsed.issues.map((issue) => String(issue.path?.[0]?.key)));
  return fail(line, `this ${known} has fields that are wrong, missing or unknown: ${[...fields].join(", ")}.`);
}
