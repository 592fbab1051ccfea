import * as v from "valibot";
import { bodySchema, described, Timestamp } from "./body.ts";
import { KeyId } from "./keys.ts";

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

const TIME_RULE = "Must be a day or a time in UTC, such as 2026-01-31 or 2026-01-31T09:30:00Z";
const Time = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z)?$/, TIME_RULE),
  v.check((time) => !Number.isNaN(Date.parse(time)), TIME_RULE),
);

function text(form: RegExp, rule: string) {
  return v.optional(v.pipe(v.string(), v.regex(form, rule)));
}

/** Which calls of the activity are asked for. */
export const ActivityQuery = bodySchema({
  key_id: described(v.optional(KeyId), "Only calls with this key."),
  status: described(
    text(/^(\d{3}|[2-5]xx)$/, "Must be a status, such as 402 or 4xx"),
    "Only responses of this status, or, as `4xx`, of these.",
  ),
  code: described(text(/^\w{1,60}$/, "Must be an error code"), "Only errors with this code."),
  from: described(v.optional(Time), "Not before this day or time, UTC."),
  to: described(v.optional(Time), "Not after this day or time, UTC."),
  request_id: described(
    text(/^\w{1,40}$/, "Must be a request ID, such as req_2mXw"),
    "Only the call with this `X-Request-Id`.",
  ),
  before: described(text(/^\d{15}\.\w{1,40}$/, "Must be `next` of a page"), "The page after this one: its `next`."),
});
export type ActivityQuery = v.InferOutput<typeof ActivityQuery>;

const ActivityCall = v.object({
  at: described(Timestamp, "When it was answered, UTC."),
  request_id: described(v.string(), "Its `X-Request-Id`."),
  key_id: described(v.string(), "The key it was made with."),
  operation: described(v.string(), "What was called, by its `operationId`."),
  status: described(v.pipe(v.number(), v.integer()), "The HTTP status of the response."),
  code: described(v.nullable(v.string()), "The code of the error; null for none."),
  country: described(
    v.nullable(v.string()),
    "ISO 3166-1 alpha-2 of a single number; null for a batch, or if none was identified.",
  ),
  numbers: described(Count, "How many numbers it was about; 0 where the request could not be read."),
  duration_ms: described(Count, "How long it took, in milliseconds, as the platform's clock shows it."),
  data_center: described(
    v.nullable(v.string()),
    "The airport code of the data center that answered; null where it is not known.",
  ),
});
export type ActivityCall = v.InferOutput<typeof ActivityCall>;

export const ActivityPage = v.object({
  calls: described(v.array(ActivityCall), "The calls, newest first."),
  rate_limited: described(
    v.array(
      v.object({
        minute: described(Timestamp, "When the minute began, UTC."),
        count: described(
          Count,
          "How many calls were refused with 429, at least: an isolate that ends takes some with it.",
        ),
      }),
    ),
    "Minutes with calls over a rate limit, newest first, 120 at most. Filters by time apply, others do not.",
  ),
  next: described(v.nullable(v.string()), "For `before`, to get the page after this one; null on the last."),
});
export type ActivityPage = v.InferOutput<typeof ActivityPage>;
