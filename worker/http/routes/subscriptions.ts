import { subscriptions } from "../../../contract/endpoints/subscriptions.ts";
import { operations } from "../operation.ts";
import { activateTrial } from "../../subscriptions/changes.ts";
import { readQuota, readSubscription } from "../../subscriptions/subscription.ts";

export const subscriptionRoutes = operations(subscriptions, {
  quota: (call) =>
    call.kind === "key" ? readQuota(call.io, call.key.userId, call.key) : readQuota(call.io, call.session.userId, null),
  subscription: ({ io, session }) => readSubscription(io, session.account.id),
  activateTrial: ({ io, session }) => activateTrial(io, session),
});
