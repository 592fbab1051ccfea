import * as v from "valibot";
import { KEY_MODES } from "../../contract/limits.ts";
import { REGIONS } from "../platform/site.ts";

/** The country could not be determined. */
export const UNKNOWN_COUNTRY = "ZZ";

// The bounds keep a part small, and its names free of spaces, which separate them in the ledger's state.
const rowId = v.pipe(v.string(), v.regex(/^\w{1,40}$/));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/**
 * Verified numbers: the start of their subscription (0 without one), key, mode, UTC day, and country, then how many
 * succeeded and how many failed. Shows which countries were verified, never which numbers.
 */
const CountSchema = v.strictTuple([
  count,
  rowId,
  v.picklist(KEY_MODES),
  v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\d$/)),
  v.pipe(v.string(), v.regex(/^[A-Z]{2}$/)),
  count,
  count,
]);
export type Count = v.InferOutput<typeof CountSchema>;

const CallSchema = v.object({
  /** Identifies the call: the same id counts once. */
  id: v.pipe(v.string(), v.regex(/^[\da-f]{24}$/)),
  /**
   * The same call's id under the secret of an ongoing rotation: whichever arrives first is counted, the other is not.
   */
  alias: v.exactOptional(v.pipe(v.string(), v.regex(/^[\da-f]{24}$/))),
  /** How many hours to remember its id. */
  hours: v.pipe(count, v.minValue(1), v.maxValue(48)),
  counts: v.array(CountSchema),
});
/** A call with an Idempotency-Key, sent as a separate entry. */
export type KeyedCall = v.InferOutput<typeof CallSchema>;

const LimitSchema = v.object({
  /**
   * `quota` and the start of the subscription, or a name and the limited period: `test 2026-01-31`, or `cap key_1
   * 2026-01` for the first capped key, which the keys it was rolled to share.
   */
  meter: v.pipe(v.string(), v.regex(/^[\w ./-]{1,80}$/)),
  /** How much the call uses. */
  amount: count,
  most: count,
});
export type Limit = v.InferOutput<typeof LimitSchema>;

/**
 * A call as shown in the dashboard: end time in milliseconds since the Unix epoch, request id, key, operation, status,
 * error code, country of a single number, how many numbers, duration in milliseconds, and data center. Never a number,
 * an address, or a hash.
 */
const SampleSchema = v.strictTuple([
  count,
  rowId,
  rowId,
  rowId,
  v.pipe(count, v.minValue(100), v.maxValue(599)),
  v.nullable(v.pipe(v.string(), v.regex(/^\w{1,60}$/))),
  v.nullable(v.pipe(v.string(), v.regex(/^[A-Z]{2}$/))),
  count,
  count,
  v.nullable(v.pipe(v.string(), v.regex(/^\w{1,8}$/))),
]);
export type Sample = v.InferOutput<typeof SampleSchema>;

/** A minute since the Unix epoch, and how many of its calls were rejected with 429. */
const LimitedSchema = v.strictTuple([count, count]);
export type LimitedMinute = v.InferOutput<typeof LimitedSchema>;

const PartSchema = v.object({
  user: rowId,
  /** The isolate that counted; its id starts with its creation time. */
  isolate: v.pipe(v.string(), v.regex(/^[\da-z]{1,10}\.\w{1,20}$/)),
  /** A sequence number per account within an isolate. The same isolate and number count once. */
  seq: v.pipe(count, v.minValue(1)),
  /** When the part was closed, in milliseconds since the Unix epoch. */
  at: count,
  /** The callers' region, in which a new ledger is created. */
  near: v.exactOptional(v.picklist(Object.values(REGIONS))),
  counts: v.array(CountSchema),
  calls: v.array(CallSchema),
  /** What a call with a limit uses. Only in a part with a single call. */
  limits: v.exactOptional(v.array(LimitSchema)),
  /** A sample of its calls, … */
  activity: v.exactOptional(v.array(SampleSchema)),
  /** … and all that exceeded a rate limit. */
  limited: v.exactOptional(v.array(LimitedSchema)),
});
/** An isolate's counts for one account. */
export type Part = v.InferOutput<typeof PartSchema>;

/** A message of the USAGE queue. Fields added by a newer version of the worker are dropped, not rejected. */
export const UsageMessageSchema = v.union([
  v.object({
    parts: v.pipe(v.array(PartSchema), v.minLength(1), v.maxLength(1_000)),
    /** How often a ledger has rejected the part. */
    tries: v.exactOptional(count),
  }),
  v.object({
    /** The account whose ledger to erase. */
    erase: rowId,
    tries: v.exactOptional(count),
  }),
]);
export type UsageMessage = v.InferOutput<typeof UsageMessageSchema>;

/** How many numbers a part counts. */
export function numbersIn({ counts, calls }: Part): number {
  const all = [...counts, ...calls.flatMap((call) => call.counts)];
  return all.reduce((sum, [, , , , , successful, failed]) => sum + successful + failed, 0);
}

/**
 * The meter of a key's monthly cap: successful live verifications of it, and of its successors, in a month ("YYYY-MM").
 */
export function capMeter(rootId: string, month: string): string {
  return `cap ${rootId} ${month}`;
}

/** The meter of a subscription's quota: its successful live verifications since it started. */
export function quotaMeter(startedAt: number): string {
  return `quota ${startedAt}`;
}
