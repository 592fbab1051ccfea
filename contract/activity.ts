import * as v from "valibot";
import { bodySchema, described, Integer, Timestamp } from "./body.ts";
import { KeyId } from "./keys.ts";
import { KEY_MODES } from "./limits.ts";

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

const TIME_RULE = "Must be a date or time in UTC, such as 2026-01-31 or 2026-01-31T09:30:00Z";
const Time = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z)?$/, TIME_RULE),
  v.check((time) => !Number.isNaN(Date.parse(time)), TIME_RULE),
);

function text(form: RegExp, rule: string) {
  return v.optional(v.pipe(v.string(), v.regex(form, rule)));
}

/** Filters for the activity log. */
export const ActivityQuery = bodySchema({
  key_id: described(v.optional(KeyId), "Only calls with this key."),
  status: described(
    text(/^(\d{3}|[2-5]xx)$/, "Must be a status, such as 402 or 4xx"),
    "Only responses with this status, or a class such as `4xx`.",
  ),
  code: described(text(/^\w{1,60}$/, "Must be an error code"), "Only errors with this code."),
  from: described(v.optional(Time), "On or after this date or time (UTC)."),
  to: described(v.optional(Time), "On or before this date or time (UTC)."),
  request_id: described(
    text(/^\w{1,40}$/, "Must be a request ID, such as req_2mXw"),
    "Only the call with this `X-Request-Id`.",
  ),
  before: described(
    text(/^\d{15}\.\w{1,40}$/, "Must be `next` of a page"),
    "The previous page's `next`, to get the page after it.",
  ),
});
export type ActivityQuery = v.InferOutput<typeof ActivityQuery>;

export const ActivityCall = v.object({
  at: described(Timestamp, "When we responded (UTC)."),
  request_id: described(v.string(), "Its `X-Request-Id`."),
  key_id: described(v.string(), "The key used."),
  mode: described(v.picklist(KEY_MODES), "The key's mode."),
  operation: described(v.string(), "The operation called, by `operationId`."),
  status: described(Integer, "The HTTP status."),
  code: described(v.nullable(v.string()), "The error code; null if none."),
  country: described(
    v.nullable(v.string()),
    "The country of a single number (ISO 3166-1 alpha-2); null for a batch or if unidentified.",
  ),
  numbers: described(Count, "How many numbers it contained; 0 if the request couldn't be read."),
  fields: described(
    v.array(v.string()),
    "The names of the body's fields, those of the operation only, without their values.",
  ),
  duration_ms: described(Count, "The duration in milliseconds, by the platform's clock."),
  data_center: described(
    v.nullable(v.string()),
    "The airport code of the data center that responded; null if unknown.",
  ),
});
export type ActivityCall = v.InferOutput<typeof ActivityCall>;

export const ActivityPage = v.object({
  calls: described(v.array(ActivityCall), "The calls, newest first."),
  rate_limited: described(
    v.array(
      v.object({
        minute: described(Timestamp, "When the minute began (UTC)."),
        count: described(Count, "How many calls got a 429, at minimum: some counts are lost when an isolate ends."),
      }),
    ),
    "Minutes with calls over a rate limit, newest first, up to 120. Only time filters apply.",
  ),
  next: described(v.nullable(v.string()), "Pass it as `before` to get the next page; null on the last one."),
});
export type ActivityPage = v.InferOutput<typeof ActivityPage>;
