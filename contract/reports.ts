import * as v from "valibot";
import { bodySchema } from "./body.ts";
import { KeyModeSchema } from "./keys.ts";
import { MAX_REPORT_DAYS } from "./limits.ts";

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

export const UsageSummary = v.object({
  total_verifications: Count,
  successful_verifications: Count,
  top_countries: v.pipe(
    v.array(v.object({ country_code: v.string(), count: Count })),
    v.description("The five countries with most verifications, most first."),
  ),
  month_over_month: v.pipe(
    v.nullable(v.number()),
    v.description("The last 30 days against the 30 before, in per cent; null without earlier verifications."),
  ),
});
export type UsageSummary = v.InferOutput<typeof UsageSummary>;

export const UsageReport = v.object({
  days: v.pipe(
    v.array(v.object({ date: v.pipe(v.string(), v.isoDate()), total: Count, successful: Count })),
    v.description("One entry a day, UTC, oldest first, ending today."),
  ),
  countries: v.pipe(
    v.array(v.object({ country_code: v.string(), total: Count, successful: Count })),
    v.description("The same days by country, most verifications first; ZZ where none could be told."),
  ),
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
      v.minValue(1, DAYS_RULE),
      v.maxValue(MAX_REPORT_DAYS, DAYS_RULE),
    ),
    "30",
  ),
  mode: v.optional(KeyModeSchema),
});
