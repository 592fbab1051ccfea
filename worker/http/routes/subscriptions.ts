import { subscriptions } from "../../../contract/endpoints/subscriptions.ts";
import { operations } from "../operation.ts";
import { activateTrial } from "../../subscriptions/changes.ts";
import { readQuota, readSubscription } from "../../subscriptions/subscription.ts";

export const subscriptionRoutes = operations(subscriptions, {
  quota: ({ io, caller }) => readQuota(io, caller.userId, caller.key),
  subscription: ({ io, session }) => readSubscription(io, session.account.id),
  activateTrial: ({ io, session }) => activateTrial(io, session.account),
});
