import { accounts } from "./accounts.ts";
import { dashboard } from "./dashboard.ts";
import type { Endpoint } from "./endpoint.ts";
import { service } from "./service.ts";
import { verification } from "./verification.ts";

/** Every operation of the API, in the order of the reference. */
export const ENDPOINTS: readonly Endpoint[] = [verification, accounts, dashboard, service].flatMap((group) =>
  Object.values<Endpoint>(group),
);
