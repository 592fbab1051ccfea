import * as v from "valibot";
import { ActivityCall } from "./activity.ts";
import { bodySchema, described } from "./body.ts";
import { KeyId, ModeQuery } from "./keys.ts";
import { KEY_MODES, MAX_REPORT_DAYS } from "./limits.ts";

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

const country = described(v.string(), "ISO 3166-1 alpha-2.");
const countryOrUnknown = described(v.string(), "ISO 3166-1 alpha-2; ZZ if none was identified.");
const total = described(Count, "Verifications counted.");
const successful = described(Count, "Successful verifications.");

const UsageOfKey = v.object({
  key_id: described(v.string(), "The key ID."),
  name: described(v.nullable(v.string()), "The key's name; null if its record is gone."),
  mode: described(v.picklist(KEY_MODES), "The key's mode."),
  total,
  successful,
});
export type UsageOfKey = v.InferOutput<typeof UsageOfKey>;

const Days = v.array(
  v.object({ date: described(v.pipe(v.string(), v.isoDate()), "The day (UTC)."), total, successful }),
);

export const UsageSummary = v.object({
  total_verifications: described(Count, "All of the account's verifications."),
  successful_verifications: described(Count, "Successful verifications."),
  top_countries: described(
    v.array(v.object({ country_code: country, count: described(Count, "Its verifications.") })),
    "The five countries with the most verifications, most first.",
  ),
  countries: described(Count, "How many countries were identified."),
  keys: described(v.array(UsageOfKey), "All verifications by key, most first."),
  month_over_month: described(
    v.nullable(v.number()),
    "The last 30 days compared with the 30 before, in percent; null without earlier verifications.",
  ),
  days: described(Days, "The last 14 days (UTC), oldest first, ending today."),
  calls: described(
    v.object({
      sampled: described(Count, "How many calls the sample has."),
      p95_ms: described(v.nullable(Count), "What 95% of them took at most, in milliseconds; null without calls."),
      top_error: described(
        v.nullable(v.object({ code: described(v.string(), "The error code."), count: described(Count, "Its calls.") })),
        "The most frequent error, except the sandbox's; null if none.",
      ),
      latest: described(v.array(ActivityCall), "The last five calls, newest first."),
    }),
    "The last 30 days' calls, as `/account/activity` samples them.",
  ),
});
export type UsageSummary = v.InferOutput<typeof UsageSummary>;

export const UsageReport = v.object({
  days: described(Days, "One entry per day (UTC), oldest first, ending today."),
  countries: described(
    v.array(v.object({ country_code: countryOrUnknown, total, successful })),
    "The same days by country, most verifications first.",
  ),
  keys: described(v.array(UsageOfKey), "The same days by key, most verifications first."),
});
export type UsageReport = v.InferOutput<typeof UsageReport>;

const DAYS_RULE = `Must be a whole number from 1 to ${MAX_REPORT_DAYS}`;

/** `?days=&mode=` of the daily report. */
export const UsageQuery = bodySchema({
  days: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,3}$/, DAYS_RULE),
      v.transform(Number),
      // The OpenAPI document starts here.
      v.number(),
      v.integer(),
      v.minValue(1, DAYS_RULE),
      v.maxValue(MAX_REPORT_DAYS, DAYS_RULE),
      v.description(`Number of days, ending today: 1 to ${MAX_REPORT_DAYS}.`),
    ),
    "30",
  ),
  key_id: described(v.optional(KeyId), "Only this key's verifications; all keys if omitted."),
  by: described(
    v.optional(v.literal("key", "Must be key")),
    "`key` for a CSV file with one line per day and key used, with `key_id` and `key_name` after the date. Doesn't affect JSON.",
  ),
  ...ModeQuery.entries,
});
