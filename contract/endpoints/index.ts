import { accounts } from "./accounts.ts";
import type { Endpoint } from "./endpoint.ts";
import { keys } from "./keys.ts";
import { reports } from "./reports.ts";
import { service } from "./service.ts";
import { secondFactor } from "./second-factor.ts";
import { sessions } from "./sessions.ts";
import { subscriptions } from "./subscriptions.ts";
import { verification } from "./verification.ts";

/** Every API operation, in the order of the reference. */
export const ENDPOINTS: readonly Endpoint[] = [
  verification,
  accounts,
  sessions,
  secondFactor,
  subscriptions,
  keys,
  reports,
  service,
].flatMap((group) => Object.values<Endpoint>(group));
