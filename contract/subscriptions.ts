import * as v from "valibot";
import { described, Timestamp } from "./body.ts";
import { PLANS } from "./limits.ts";

/** `active` counts as active, everything else as inactive. */
export const SUBSCRIPTION_STATUSES = ["active", "expired", "ended", "none"] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

const Count = v.pipe(v.number(), v.integer());

const remaining = described(
  v.nullable(Count),
  "How many live verifications may still succeed; null where nothing limits them, 0 without an active subscription.",
);

/** What `GET /api/v1/account/quota` returns. */
export const Quota = v.object({
  plan: described(v.nullable(v.picklist(PLANS)), "Null when there has been no subscription yet."),
  limit: described(
    v.nullable(Count),
    "How many successful live verifications the plan holds; null where it sets no limit.",
  ),
  used: described(Count, "How many are used up since the subscription began."),
  remaining,
  resets_at: described(v.nullable(Timestamp), "When the quota begins again, UTC; null for one that does not."),
  key_cap: described(
    v.nullable(
      v.object({
        limit: described(Count, "How many successful live verifications the key may make in a month."),
        used: described(Count, "How many it has made this month, with the keys it was rolled from."),
        remaining: described(Count, "How many are left."),
        resets_at: described(Timestamp, "When the next month begins, UTC."),
      }),
    ),
    "The monthly cap of the API key that asks; null for a key without one, and for a session.",
  ),
});
export type Quota = v.InferOutput<typeof Quota>;

export const Subscription = v.object({
  status: described(
    v.picklist(SUBSCRIPTION_STATUSES),
    "Live keys work while it is `active`. `expired` has run out, `ended` was ended ahead of time, `none` never began.",
  ),
  plan: described(v.nullable(v.picklist(PLANS)), "Null when there has been no subscription yet."),
  started_at: described(v.nullable(Timestamp), "When it began, UTC; null when there has been none."),
  expires_at: described(v.nullable(Timestamp), "When it runs out, UTC; null when there is none, or no end to it."),
  trial_available: described(v.boolean(), "Whether the free trial has not been used yet."),
  quota: described(
    v.object({
      limit: described(v.nullable(Count), "How many the plan holds; null where it sets no limit."),
      used: described(Count, "How many are used up."),
      remaining: described(v.nullable(Count), "How many are left; null where the plan sets no limit."),
    }),
    "Successful live verifications since the subscription began.",
  ),
});
export type Subscription = v.InferOutput<typeof Subscription>;
