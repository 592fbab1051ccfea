import * as v from "valibot";
import { KEY_MODES } from "../../contract/limits.ts";
import { REGIONS } from "../platform/site.ts";

/** The country could not be determined. */
export const UNKNOWN_COUNTRY = "ZZ";

// The bounds keep a part small, and its names free of spaces, which separate them in the ledger's state.
const rowId = v.pipe(v.string(), v.regex(/^\w{1,40}$/));
const amount = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const countryCode = v.pipe(v.string(), v.regex(/^[A-Z]{2}$/));
const callId = v.pipe(v.string(), v.regex(/^[\da-f]{24}$/));

/** Verified numbers of one kind. Says which country they belong to, never which numbers they are. */
const CountSchema = v.object({
  /** When the subscription started, in milliseconds since the Unix epoch; 0 without one. */
  startedAt: amount,
  key: rowId,
  /** The first key of its chain of rolled keys, which a cap is counted under. */
  root: rowId,
  mode: v.picklist(KEY_MODES),
  /** The UTC day, `2026-01-31`. */
  day: v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\d$/)),
  country: countryCode,
  successful: amount,
  failed: amount,
});
export type Count = v.InferOutput<typeof CountSchema>;

const UseSchema = v.object({
  /** From `quotaMeter`, `capMeter`, or `testMeter`. */
  meter: v.pipe(v.string(), v.regex(/^[\w -]{1,80}$/)),
  /** How much of it these numbers use. */
  amount,
  /** The limit. */
  most: amount,
});
/** What numbers use of a limit: a quota, a key's monthly cap, or the day's lookups of test keys. */
export type Use = v.InferOutput<typeof UseSchema>;

const CallSchema = v.object({
  /** Identifies the call: the same id counts once. */
  id: callId,
  /** Its id under the other secret during a rotation: whichever arrives first counts. */
  alias: v.exactOptional(callId),
  /** How many hours to remember it. */
  hours: v.pipe(amount, v.minValue(1), v.maxValue(48)),
});
/** A call with an Idempotency-Key. */
export type KeyedCall = v.InferOutput<typeof CallSchema>;

const EntrySchema = v.object({
  /** The one call with an Idempotency-Key that it counts; without it, any number of other calls. */
  call: v.exactOptional(CallSchema),
  counts: v.array(CountSchema),
  uses: v.array(UseSchema),
});
export type Entry = v.InferOutput<typeof EntrySchema>;

const SampleSchema = v.object({
  /** When it ended, in milliseconds since the Unix epoch. */
  at: amount,
  requestId: rowId,
  key: rowId,
  operation: rowId,
  status: v.pipe(amount, v.minValue(100), v.maxValue(599)),
  /** The error's code. */
  code: v.nullable(v.pipe(v.string(), v.regex(/^\w{1,60}$/))),
  /** The country of a single number. */
  country: v.nullable(countryCode),
  /** How many numbers. */
  numbers: amount,
  /** Milliseconds. */
  duration: amount,
  /** The data center. */
  colo: v.nullable(v.pipe(v.string(), v.regex(/^\w{1,8}$/))),
});
/** A call as shown in the dashboard. Never a number, an address, or a hash. */
export type Sample = v.InferOutput<typeof SampleSchema>;

const PartSchema = v.object({
  user: rowId,
  /** The isolate that counted; its id starts with its creation time. */
  isolate: v.pipe(v.string(), v.regex(/^[\da-z]{1,10}\.\w{1,20}$/)),
  /** A sequence number of this isolate and account. The same isolate and number count once. */
  seq: v.pipe(amount, v.minValue(1)),
  /** When the part was closed, in milliseconds since the Unix epoch. */
  at: amount,
  /** The callers' region, in which a new ledger is created. */
  near: v.exactOptional(v.picklist(Object.values(REGIONS))),
  entries: v.array(EntrySchema),
  /** A sample of its calls, … */
  activity: v.array(SampleSchema),
  /** … and how many calls were over a rate limit, by minute since the Unix epoch. */
  limited: v.array(v.object({ minute: amount, calls: amount })),
});
/** An isolate's counts for one account. */
export type Part = v.InferOutput<typeof PartSchema>;

/** A message of the USAGE queue. Fields added by a newer version of the worker are dropped, not rejected. */
export const UsageMessageSchema = v.union([
  v.object({ part: PartSchema }),
  v.object({
    /** The account whose ledger to erase. */
    erase: rowId,
  }),
]);
export type UsageMessage = v.InferOutput<typeof UsageMessageSchema>;

/** How many numbers a part counts. */
export function numbersIn({ entries }: Pick<Part, "entries">): number {
  const counts = entries.flatMap((entry) => entry.counts);
  return counts.reduce((sum, { successful, failed }) => sum + successful + failed, 0);
}

/** The meter of a subscription's quota: its successful live verifications since it started. */
export function quotaMeter(startedAt: number): string {
  return `quota ${startedAt}`;
}

/** The meter of a chain's monthly cap ("YYYY-MM"): the successful live verifications of all keys with this root. */
export function capMeter(root: string, month: string): string {
  return `cap ${root} ${month}`;
}

/** The meter of test keys' lookups on a UTC day. */
export function testMeter(day: string): string {
  return `test ${day}`;
}
