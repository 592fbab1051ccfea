import * as v from "valibot";
import { KEY_MODES, PLANS } from "../../../contract/limits.ts";
import type { KeyMode, Plan } from "../../../contract/limits.ts";

/**
 * What the edge has of a key that is not revoked. Contains neither the key nor its name, and only an id of its owner.
 */
export interface KeyRecord {
  readonly revoked: false;
  /** As in a row that is not revoked. */
  readonly revokedAt: null;
  readonly id: string;
  readonly userId: string;
  readonly mode: KeyMode;
  /** When it expires, in milliseconds since the Unix epoch, or null. */
  readonly expiresAt: number | null;
  /** How many numbers a live key may verify per month, and the key it is counted under; null without a cap. */
  readonly cap: { readonly root: string; readonly most: number } | null;
  /** When its account was suspended, or null. */
  readonly suspendedAt: number | null;
  /** The row's version; raised with every change. */
  readonly version: number;
  /** When D1 was read, in milliseconds since the Unix epoch: all earlier writes are included. */
  readonly asOf: number;
  /** Null for an account that never had one. */
  readonly subscription: KeySubscription | null;
}

export interface KeySubscription {
  readonly plan: Plan;
  readonly status: "active" | "ended";
  /** Milliseconds since the Unix epoch, or null if it never expires. */
  readonly expiresAt: number | null;
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
}

/** A key that has been revoked or erased. Final: no record of the same key is ever trusted again. */
export interface Tombstone {
  readonly revoked: true;
  /** The row's version with the revocation. */
  readonly version: number;
}

/** A key that D1 didn't have. */
export interface Absence {
  readonly revoked: null;
  /** When D1 was read, in milliseconds since the Unix epoch. */
  readonly asOf: number;
}

/** The result of a D1 or KV read. */
export type Sighting = KeyRecord | Tombstone | Absence;

/** How long a record stays in KV: longer than it is trusted, short enough to disappear soon after its account. */
export const RECORD_TTL_SECONDS = 3_600;
/** How long a tombstone stays. It must outlive every record, and saves D1 queries about old keys. */
export const TOMBSTONE_TTL_SECONDS = 90 * 86_400;

/** The KV name of the record of a key with this SHA-256 (hex). */
export function recordName(hash: string): string {
  return `key:${hash}`;
}

/**
 * The KV name of the tombstone. Separate because KV has no compare-and-swap: under the same name, a record read before
 * a revocation and written after it would replace the tombstone. Only tombstones are ever written here.
 */
export function tombstoneName(hash: string): string {
  return `gone:${hash}`;
}

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** Values of another schema are ignored, so two versions of the worker can share KV during a deployment. */
const SCHEMA = 1;

const StoredRecord = v.object({
  schema: v.literal(SCHEMA),
  v: count,
  as_of: count,
  id: v.string(),
  user_id: v.string(),
  mode: v.picklist(KEY_MODES),
  expires_at: v.nullable(count),
  cap: v.nullable(v.object({ root: v.string(), most: count })),
  suspended_at: v.nullable(count),
  subscription: v.nullable(
    v.object({
      plan: v.picklist(PLANS),
      status: v.picklist(["active", "ended"]),
      started_at: count,
      expires_at: v.nullable(count),
    }),
  ),
});

/** A record in KV's format. */
export function encodeRecord(record: KeyRecord): string {
  const { subscription } = record;
  const stored: v.InferOutput<typeof StoredRecord> = {
    schema: SCHEMA,
    v: record.version,
    as_of: record.asOf,
    id: record.id,
    user_id: record.userId,
    mode: record.mode,
    expires_at: record.expiresAt,
    cap: record.cap,
    suspended_at: record.suspendedAt,
    subscription: subscription && {
      plan: subscription.plan,
      status: subscription.status,
      started_at: subscription.startedAt,
      expires_at: subscription.expiresAt,
    },
  };
  return JSON.stringify(stored);
}

/** A tombstone in KV's format, without account data. */
export function encodeTombstone({ version }: Tombstone): string {
  return JSON.stringify({ v: version, revoked: true });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The record in KV, or null if missing, corrupt, or of another schema, in which case D1 is queried. */
export function decodeRecord(text: string | null): KeyRecord | null {
  const parsed = text === null ? null : v.safeParse(StoredRecord, parseJson(text));
  if (!parsed?.success) return null;
  const { v: version, as_of, id, user_id, mode, expires_at, cap, suspended_at, subscription } = parsed.output;
  return {
    revoked: false,
    revokedAt: null,
    version,
    asOf: as_of,
    id,
    userId: user_id,
    mode,
    expiresAt: expires_at,
    cap,
    suspendedAt: suspended_at,
    subscription: subscription && {
      plan: subscription.plan,
      status: subscription.status,
      startedAt: subscription.started_at,
      expiresAt: subscription.expires_at,
    },
  };
}

const StoredTombstone = v.object({ v: count });

/** The tombstone in KV, or null if missing. Any value under its name is one: a corrupt one still rejects. */
export function decodeTombstone(text: string | null): Tombstone | null {
  if (text === null) return null;
  const parsed = v.safeParse(StoredTombstone, parseJson(text));
  return { revoked: true, version: parsed.success ? parsed.output.v : 0 };
}
