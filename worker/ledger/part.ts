// Part: what a meter sends a ledger at once, with entries, samples, and how many calls were over a rate limit.
// Entry: counts and uses that count together or not at all.
// Count: how many numbers of one kind were verified. Use: how much an entry uses of a limit.
// KeyedCall: an entry's one call with an Idempotency-Key. Sample: a call as the activity shows it.

import * as v from "valibot";
import { KEY_MODES } from "../../contract/limits.ts";
import { REGIONS } from "../platform/place.ts";

/** The country could not be determined. */
export const UNKNOWN_COUNTRY = "ZZ";

// The bounds keep a part small, and the names of isolates and limits plain.
const rowId = v.pipe(v.string(), v.regex(/^\w{1,40}$/));
const wholeNumber = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const countryCode = v.pipe(v.string(), v.regex(/^[A-Z]{2}$/));
const utcDay = v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\d$/));
const utcMonth = v.pipe(v.string(), v.regex(/^\d{4}-\d\d$/));
const callId = v.pipe(v.string(), v.regex(/^[\da-f]{24}$/));

/** Verified numbers of one kind. Says which country they belong to, never which numbers they are. */
const CountSchema = v.object({
  /** When the subscription started, in milliseconds since the Unix epoch; 0 without one. */
  startedAt: wholeNumber,
  key: rowId,
  /** The first key of its chain of rolled keys, which a cap is counted under. */
  root: rowId,
  mode: v.picklist(KEY_MODES),
  /** The UTC day, `2026-01-31`. */
  day: utcDay,
  country: countryCode,
  successful: wholeNumber,
  failed: wholeNumber,
});
export type Count = v.InferOutput<typeof CountSchema>;

const used = {
  /** Names the limit. */
  meter: v.pipe(v.string(), v.regex(/^[\w -]{1,80}$/)),
  /** How much of it these numbers use. */
  amount: wholeNumber,
  /** The limit. */
  most: wholeNumber,
};
const UseSchema = v.variant("kind", [
  v.object({ kind: v.literal("quota"), startedAt: wholeNumber, ...used }),
  v.object({ kind: v.literal("cap"), root: rowId, month: utcMonth, ...used }),
  v.object({ kind: v.literal("test"), day: utcDay, ...used }),
]);
/** What numbers use of a limit: a quota, a key's monthly cap, or the day's lookups of test keys. */
export type Use = v.InferOutput<typeof UseSchema>;

const CallSchema = v.object({
  /** Identifies the call: the same id counts once. */
  id: callId,
  /** Its id under the other secret during a rotation: whichever arrives first counts. */
  alias: v.exactOptional(callId),
  /** How many hours to remember it. */
  hours: v.pipe(wholeNumber, v.minValue(1), v.maxValue(48)),
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
  at: wholeNumber,
  request_id: rowId,
  key_id: rowId,
  mode: v.picklist(KEY_MODES),
  operation: rowId,
  status: v.pipe(wholeNumber, v.minValue(100), v.maxValue(599)),
  /** The error's code. */
  code: v.nullable(v.pipe(v.string(), v.regex(/^\w{1,60}$/))),
  /** The country of a single number. */
  country: v.nullable(countryCode),
  /** How many numbers. */
  numbers: wholeNumber,
  /** The names of the body's fields. */
  fields: v.array(rowId),
  duration_ms: wholeNumber,
  data_center: v.nullable(v.pipe(v.string(), v.regex(/^\w{1,8}$/))),
});
/** A call as the API shows it (`ActivityCall`). Never a number, an address, or a hash. */
export type Sample = v.InferOutput<typeof SampleSchema>;

const PartSchema = v.object({
  user: rowId,
  /** The isolate that counted; its id starts with its creation time. */
  isolate: v.pipe(v.string(), v.regex(/^[\da-z]{1,10}\.\w{1,20}$/)),
  /** A sequence number of this isolate and account. The same isolate and number count once. */
  seq: v.pipe(wholeNumber, v.minValue(1)),
  /** When the part was closed, in milliseconds since the Unix epoch. */
  at: wholeNumber,
  /** The callers' region, in which a new ledger is created. One that only a newer version knows is dropped. */
  near: v.fallback(v.optional(v.picklist(Object.values(REGIONS))), undefined),
  entries: v.array(EntrySchema),
  /** A sample of its calls, … */
  activity: v.array(SampleSchema),
  /** … and how many calls were over a rate limit, by minute since the Unix epoch. */
  limited: v.array(v.object({ minute: wholeNumber, calls: wholeNumber })),
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

/** A use of a subscription's quota: its successful live verifications since it started. */
export function quotaUse(startedAt: number, amount: number, most: number): Use {
  return { kind: "quota", startedAt, meter: `quota ${startedAt}`, amount, most };
}

/** A use of a chain's monthly cap ("YYYY-MM"): the successful live verifications of all keys with this root. */
export function capUse(root: string, month: string, amount: number, most: number): Use {
  return { kind: "cap", root, month, meter: `cap ${root} ${month}`, amount, most };
}

/** A use of test keys' lookups on a UTC day. */
export function testUse(day: string, amount: number, most: number): Use {
  return { kind: "test", day, meter: `test ${day}`, amount, most };
}
