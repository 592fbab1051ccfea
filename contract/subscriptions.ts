import * as v from "valibot";
import { PLANS } from "./limits.ts";

/** `active` counts as active, everything else as inactive. */
export const SUBSCRIPTION_STATUSES = ["active", "expired", "ended", "none"] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

const Timestamp = v.pipe(v.string(), v.isoTimestamp());
const Count = v.pipe(v.number(), v.integer());

export const Subscription = v.object({
  status: v.picklist(SUBSCRIPTION_STATUSES),
  plan: v.nullable(v.picklist(PLANS)),
  started_at: v.nullable(Timestamp),
  expires_at: v.pipe(v.nullable(Timestamp), v.description("Null when there is no subscription or no end to it.")),
  trial_available: v.pipe(v.boolean(), v.description("Whether the free trial has not been used yet.")),
  quota: v.pipe(
    v.object({ limit: v.nullable(Count), used: Count, remaining: v.nullable(Count) }),
    v.description("Successful live verifications of the subscription; null where the plan sets no limit."),
  ),
});
export type Subscription = v.InferOutput<typeof Subscription>;
