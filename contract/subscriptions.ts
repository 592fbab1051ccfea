import * as v from "valibot";
import { described, Integer, Timestamp } from "./body.ts";
import { PLAN_IDS } from "./plans.ts";

/** Anything but `active` counts as inactive. */
export const SUBSCRIPTION_STATUSES = ["active", "expired", "ended", "none"] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

const remaining = described(
  v.nullable(Integer),
  "Live verifications remaining; null if unlimited, 0 without an active subscription.",
);

/** The response of `GET /api/v1/account/quota`. */
export const Quota = v.object({
  plan: described(v.nullable(v.picklist(PLAN_IDS)), "Null if there's never been a subscription."),
  limit: described(v.nullable(Integer), "The plan's successful live verifications; null if unlimited."),
  used: described(Integer, "How many have been used since the subscription began."),
  remaining,
  resets_at: described(v.nullable(Timestamp), "When the quota resets (UTC); null if it doesn't."),
  key_cap: described(
    v.nullable(
      v.object({
        limit: described(Integer, "The key's successful live verifications per month."),
        used: described(Integer, "How many it has used this month, including keys it was rolled from."),
        remaining: described(Integer, "Verifications remaining."),
        resets_at: described(Timestamp, "When the next month begins (UTC)."),
      }),
    ),
    "The API key's monthly cap; null without one, or for a session.",
  ),
});
export type Quota = v.InferOutput<typeof Quota>;

export const Subscription = v.object({
  status: described(
    v.picklist(SUBSCRIPTION_STATUSES),
    "Live keys work while it's `active`. `expired` means it ran out, `ended` that it was ended early, and `none` that it never began.",
  ),
  plan: described(v.nullable(v.picklist(PLAN_IDS)), "Null if there's never been a subscription."),
  started_at: described(v.nullable(Timestamp), "When it began (UTC); null if there's been none."),
  expires_at: described(v.nullable(Timestamp), "When it expires (UTC); null if there is none or it doesn't expire."),
  trial_available: described(v.boolean(), "Whether the free trial is still available."),
  quota: described(
    v.object({
      limit: described(v.nullable(Integer), "The plan's quota; null if unlimited."),
      used: described(Integer, "How many have been used."),
      remaining: described(v.nullable(Integer), "Verifications remaining; null if unlimited."),
    }),
    "Successful live verifications since the subscription began.",
  ),
});
export type Subscription = v.InferOutput<typeof Subscription>;
