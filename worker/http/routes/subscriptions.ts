import { subscriptions } from "../../../contract/endpoints/subscriptions.ts";
import { operations } from "../operation.ts";
import { activateTrial } from "../../subscriptions/changes.ts";
import { readQuota, readSubscription } from "../../subscriptions/subscription.ts";

export const subscriptionRoutes = operations(subscriptions, {
  quota: ({ io, key, session }) => readQuota(io, key?.userId ?? session!.account.id, key ?? null),
  subscription: ({ io, session }) => readSubscription(io, session.account.id),
  activateTrial: ({ io, session }) => activateTrial(io, session.account),
});
