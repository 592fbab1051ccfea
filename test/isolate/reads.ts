import { ENDPOINTS } from "../../contract/endpoints/index.ts";
import { send } from "../requests.ts";
import type { Isolate } from "./isolate.ts";
import type { Caller } from "./network.ts";

/** Calls that change nothing: reads, and verifications. */
const READS = ENDPOINTS.filter(
  ({ credential, method, path, rate }) =>
    credential !== "none" && !path.includes("{") && (method === "get" || rate === "requests by account"),
);

/** Makes every call that changes nothing. @returns the status of each */
export async function readAll(isolate: Isolate, caller: Caller): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  for (const { id, method, path, credential, request, format } of READS) {
    const credentials = { key: [caller.key], session: [caller.token], any: [caller.key, caller.token], none: [] };
    for (const [at, each] of credentials[credential].entries()) {
      const body = format === "ndjson" ? `${JSON.stringify(request!.example)}\n` : request?.example;
      const type = format === "ndjson" ? { "Content-Type": "application/x-ndjson" } : {};
      const response = await isolate.fetch(path, send(method.toUpperCase(), each, body, type));
      await response.text();
      statuses[at === 0 ? id : `${id} with a session`] = response.status;
    }
  }
  return statuses;
}
