import * as v from "valibot";
import { KEY_MODES } from "../../contract/limits.ts";
import { REGIONS } from "../platform/site.ts";

/** Where no country could be determined. */
export const UNKNOWN_COUNTRY = "ZZ";

// The bounds keep a part small and its names free of the spaces that separate them in the ledger's state.
const rowId = v.pipe(v.string(), v.regex(/^\w{1,40}$/));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/**
 * Numbers that were verified: the start of the subscription (0 without one), key, mode, UTC day and country they belong to, then how
 * many succeeded and how many failed. It says which countries were verified, never which numbers.
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
  /** Names the call: the same id twice counts once. */
  id: v.pipe(v.string(), v.regex(/^[\da-f]{24}$/)),
  /** The same call under the secret that is replacing the present one: whichever was counted, the other is not. */
  alias: v.exactOptional(v.pipe(v.string(), v.regex(/^[\da-f]{24}$/))),
  /** How many hours its id is remembered. */
  hours: v.pipe(count, v.minValue(1), v.maxValue(48)),
  counts: v.array(CountSchema),
});
/** A call with an Idempotency-Key, which travels as a separate entry. */
export type KeyedCall = v.InferOutput<typeof CallSchema>;

const LimitSchema = v.object({
  /**
   * `quota` and the start of the subscription; or a name and the period it is limited in: `test 2026-01-31`, `cap key_1 2026-01` for
   * the key that was capped first, which those share that it was rolled to.
   */
  meter: v.pipe(v.string(), v.regex(/^[\w ./-]{1,80}$/)),
  /** How much of it the call uses. */
  amount: count,
  most: count,
});
export type Limit = v.InferOutput<typeof LimitSchema>;

/**
 * A call as the dashboard shows it: when it ended, in milliseconds since the Unix epoch, request id, key, operation, status, error
 * code, country of a single number, how many numbers, duration in milliseconds, and data center. Never a number, an address, or a hash.
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

/** A minute since the Unix epoch, and how many calls were refused in it with 429. */
const LimitedSchema = v.strictTuple([count, count]);
export type LimitedMinute = v.InferOutput<typeof LimitedSchema>;

const PartSchema = v.object({
  user: rowId,
  /** Which isolate counted; its first characters say since when it has existed. */
  isolate: v.pipe(v.string(), v.regex(/^[\da-z]{1,10}\.\w{1,20}$/)),
  /** Counts up for each account within an isolate. The same isolate and number twice count once. */
  seq: v.pipe(count, v.minValue(1)),
  /** When it was closed, in milliseconds since the Unix epoch. */
  at: count,
  /** Where the callers are, which is where a new ledger is made. */
  near: v.exactOptional(v.picklist(Object.values(REGIONS))),
  counts: v.array(CountSchema),
  calls: v.array(CallSchema),
  /** What a call with a limit uses. Only a separate part has them. */
  limits: v.exactOptional(v.array(LimitSchema)),
  /** Some of its calls, … */
  activity: v.exactOptional(v.array(SampleSchema)),
  /** … and all that exceeded a rate limit. */
  limited: v.exactOptional(v.array(LimitedSchema)),
});
/** What an isolate has counted for one account. */
export type Part = v.InferOutput<typeof PartSchema>;

/** A message of the USAGE queue. Fields that a newer version of the worker may have added are dropped, not refused. */
export const UsageMessageSchema = v.union([
  v.object({
    parts: v.pipe(v.array(PartSchema), v.minLength(1), v.maxLength(1_000)),
    /** How often a ledger has refused the part. */
    tries: v.exactOptional(count),
  }),
  v.object({
    /** The account whose ledger is to be erased. */
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

/** The meter of a key's monthly cap: successful live verifications of it, and of those it was rolled to, in a month ("YYYY-MM"). */
export function capMeter(rootId: string, month: string): string {
  return `cap ${rootId} ${month}`;
}

/** The meter of a subscription's quota: its successful live verifications since it started. */
export function quotaMeter(startedAt: number): string {
  return `quota ${startedAt}`;
}
