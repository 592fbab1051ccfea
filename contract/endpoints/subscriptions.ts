import { Subscription } from "../subscriptions.ts";
import { endpoints } from "./endpoint.ts";
import type { Endpoint } from "./endpoint.ts";

const shared = { tag: "Dashboard", credential: "session" } as const satisfies Partial<Endpoint>;

export const subscriptions = endpoints({
  subscription: {
    ...shared,
    method: "get",
    path: "/api/v1/account/subscription",
    summary: "The subscription and what is left of its quota",
    success: { status: 200, description: "The subscription.", schema: Subscription },
    errors: [],
  },
  activateTrial: {
    ...shared,
    method: "post",
    path: "/api/v1/account/subscriptions/trial",
    summary: "Activate the free trial, once per person",
    success: { status: 201, description: "The subscription.", schema: Subscription },
    errors: ["EMAIL_NOT_VERIFIED", "TRIAL_ALREADY_USED", "TRIAL_UNAVAILABLE", "RATE_LIMITED"],
  },
});
