import { Quota, Subscription } from "../subscriptions.ts";
import { endpoints } from "./endpoint.ts";
import type { Endpoint } from "./endpoint.ts";

const shared = { tag: "Dashboard", credential: "session" } as const satisfies Partial<Endpoint>;

export const subscriptions = endpoints({
  quota: {
    tag: "Dashboard",
    credential: "any",
    method: "get",
    path: "/api/v1/account/quota",
    summary: "Remaining quota",
    description:
      "Accepts an API key in either mode, or a session. With a key, it counts toward the rate limit and reports it.",
    rate: "requests by account",
    success: { status: 200, description: "The quota, and the key's cap.", schema: Quota },
    errors: ["INVALID_API_KEY", "API_KEY_REVOKED", "API_KEY_EXPIRED", "BROWSER_ORIGIN_REFUSED", "PAGE_KEY_REFUSED"],
  },
  subscription: {
    ...shared,
    method: "get",
    path: "/api/v1/account/subscription",
    summary: "The subscription and its remaining quota",
    rate: "calls by account",
    success: { status: 200, description: "The subscription.", schema: Subscription },
    errors: [],
  },
  activateTrial: {
    ...shared,
    method: "post",
    path: "/api/v1/account/subscriptions/trial",
    summary: "Activate the free trial, once per person",
    rate: "changes by account",
    success: { status: 201, description: "The subscription.", schema: Subscription },
    errors: ["TRIAL_ALREADY_USED", "TRIAL_UNAVAILABLE"],
  },
});
