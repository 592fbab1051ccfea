import { ACCOUNT_ENDPOINTS } from "./endpoints/accounts.ts";
import { DASHBOARD_ENDPOINTS } from "./endpoints/dashboard.ts";
import type { Endpoint } from "./endpoints/endpoint.ts";
import { SERVICE_ENDPOINTS } from "./endpoints/service.ts";
import { VERIFICATION_ENDPOINTS } from "./endpoints/verification.ts";

/** Every operation of the API, in the order of the reference. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...VERIFICATION_ENDPOINTS,
  ...ACCOUNT_ENDPOINTS,
  ...DASHBOARD_ENDPOINTS,
  ...SERVICE_ENDPOINTS,
];
