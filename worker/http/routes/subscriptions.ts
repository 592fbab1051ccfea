import { subscriptions } from "../../../contract/endpoints/subscriptions.ts";
import { operations } from "../operation.ts";
import { activateTrial } from "../../subscriptions/changes.ts";
import { readSubscription } from "../../subscriptions/subscription.ts";

export const subscriptionRoutes = operations(subscriptions, {
  subscription: ({ io, session }) => readSubscription(io.db, session.account.id, io.now),
  activateTrial: ({ io, session }) => activateTrial(io, session.account),
});
