import * as v from "valibot";
import { KEY_MODES, PLANS } from "../../contract/limits.ts";

const wholeNumber = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** Milliseconds since the Unix epoch. */
const time = wholeNumber;

/**
 * A key that is not revoked, as stored in KV (JSON) and used by requests. Contains neither the key nor its name, and
 * only an id of its owner. Versions of the worker share KV, so the schema only gains optional fields with a default.
 */
export const KeyRecordSchema = v.object({
  id: v.string(),
  userId: v.string(),
  mode: v.picklist(KEY_MODES),
  /** Null for never. */
  expiresAt: v.nullable(time),
  /** The first key it was rolled from, whose cap covers the whole chain; itself if there is none. */
  root: v.string(),
  /** How many numbers a live key's chain may verify per month; null without a cap. */
  cap: v.nullable(wholeNumber),
  /** The origins whose pages may use it; empty for a key for servers, and for every key before this field was added. */
  origins: v.optional(v.array(v.string()), []),
  /** When its account was suspended, or null. */
  suspendedAt: v.nullable(time),
  /** The row's version; raised with every change. */
  version: wholeNumber,
  /** A time just before D1 was read: all earlier changes are included. */
  asOf: time,
  /** Null for an account that never had one. `expiresAt` is null for no end. */
  subscription: v.nullable(
    v.object({
      plan: v.picklist(PLANS),
      status: v.picklist(["active", "ended"]),
      startedAt: time,
      expiresAt: v.nullable(time),
    }),
  ),
});

export type KeyRecord = Readonly<v.InferOutput<typeof KeyRecordSchema>>;

/** Whether it is a live key for web pages, which everyone who opens one can read. */
export function isForPages({ origins }: Pick<KeyRecord, "origins">): boolean {
  return origins.length > 0;
}

/** What is known of a key. "revoked" includes erased keys, and is final. */
export type KeyState = KeyRecord | "revoked" | "unknown";

/** The record in KV, or null if it is missing or not one. */
export function decodeRecord(text: string | null): KeyRecord | null {
  if (text === null) return null;
  try {
    const parsed = v.safeParse(KeyRecordSchema, JSON.parse(text));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}

/** Records read from D1 further apart than this, clock differences included, are ordered by time. */
const SKEW_MS = 60_000;

/**
 * Whether one record of a key replaces another: the higher version wins, unless one was read from D1 more than a minute
 * later, when a lower version means a restored database.
 */
export function replaces(next: KeyRecord, current: KeyRecord): boolean {
  const later = next.asOf - current.asOf;
  if (Math.abs(later) > SKEW_MS || next.version === current.version) return later >= 0;
  return next.version > current.version;
}
