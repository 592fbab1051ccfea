import * as v from "valibot";
import { KEY_MODES } from "../../contract/limits.ts";
import type { KeyMode } from "../../contract/limits.ts";
import { PLANS, planTerms, TEST_LIMITS } from "../../contract/plans.ts";
import type { PlanLimits } from "../../contract/plans.ts";
import { ApiError } from "../platform/errors.ts";

const wholeNumber = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** Milliseconds since the Unix epoch. */
const time = wholeNumber;

/** Restrictions that `needs` names. */
const RESTRICTIONS = ["cap", "origins"] as const;

/**
 * A key that is not revoked, as stored in KV (JSON) and used by requests. Contains neither the key nor its name, and
 * only an id of its owner. Versions of the worker share KV, so the schema only gains optional fields with a default, and
 * any text is read as a mode, a status, a plan, or a restriction: `requireKnown` and `limitsOf` say what an unknown one means.
 */
export const KeyRecordSchema = v.object({
  id: v.string(),
  userId: v.string(),
  mode: v.custom<KeyMode>((value) => typeof value === "string"),
  /** Null for never. */
  expiresAt: v.nullable(time),
  /** The first key it was rolled from, whose cap covers the whole chain; itself if there is none. */
  root: v.string(),
  /** How many numbers a live key's chain may verify per month; null without a cap. */
  cap: v.nullable(wholeNumber),
  /** The origins whose pages may use it; empty for a key for servers, and for every key before this field was added. */
  origins: v.optional(v.array(v.string()), []),
  /** Its restrictions by name. A version that doesn't know one rejects the key rather than ignore it. */
  needs: v.optional(v.array(v.string()), []),
  /** When its account was suspended, or null. */
  suspendedAt: v.nullable(time),
  /** The row's version; raised with every change. */
  version: wholeNumber,
  /** A time just before D1 was read: all earlier changes are included. */
  asOf: time,
  /** Null for an account that never had one. `expiresAt` is null for no end. */
  subscription: v.nullable(
    v.object({
      plan: v.string(),
      status: v.string(),
      startedAt: time,
      expiresAt: v.nullable(time),
      /** The plan's limits, for a version that doesn't know the plan. D1 doesn't have them. */
      limits: v.optional(
        v.object({ quota: v.nullable(wholeNumber), requestsPerMinute: wholeNumber, numbersPerMinute: wholeNumber }),
      ),
    }),
  ),
});

export type KeyRecord = Readonly<v.InferOutput<typeof KeyRecordSchema>>;

/** Whether it is a live key for web pages, which everyone who opens one can read. */
export function isForPages({ origins }: Pick<KeyRecord, "origins">): boolean {
  return origins.length > 0;
}

/** A key's restrictions, for `needs`. */
export function needsOf({ cap, origins }: Pick<KeyRecord, "cap" | "origins">): string[] {
  return RESTRICTIONS.filter((name) => (name === "cap" ? cap !== null : origins.length > 0));
}

/**
 * Rejects a key with a mode or restriction that only a later version of the worker knows: ignoring it could let the key do
 * what its owner has forbidden.
 * @throws ApiError 503
 */
export function requireKnown({ mode, needs }: Pick<KeyRecord, "mode" | "needs">): void {
  const restrictions: readonly string[] = RESTRICTIONS;
  if (KEY_MODES.includes(mode) && needs.every((name) => restrictions.includes(name))) return;
  throw new ApiError("TEMPORARILY_UNAVAILABLE");
}

/** For a plan that is unknown here and in D1: an account must not lose calls it has paid for. */
const LARGEST: PlanLimits = {
  quota: null,
  requestsPerMinute: Math.max(...Object.values(PLANS).map((plan) => plan.requestsPerMinute)),
  numbersPerMinute: Math.max(...Object.values(PLANS).map((plan) => plan.numbersPerMinute)),
};

/** The limits of a key: those of a plan that this version knows, or what the record says of another plan. */
export function limitsOf({ mode, subscription }: Pick<KeyRecord, "mode" | "subscription">): PlanLimits {
  if (mode === "test" || subscription === null) return TEST_LIMITS;
  return planTerms(subscription.plan) ?? subscription.limits ?? LARGEST;
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
