import { API_BASE_PATH } from "../../../../../contract/origin.ts";
import { SANDBOX_SUCCESSES } from "../../../../../contract/sandbox.ts";

/** A call to paste into a terminal: a POSIX shell, for which nothing in a key or an origin needs quoting. */
export function curlWith(key: string, origin: string): string {
  return [
    `curl -X POST ${origin}${API_BASE_PATH}/verify`,
    `  -H "Authorization: Bearer ${key}"`,
    `  -H "Content-Type: application/json"`,
    `  -d '${JSON.stringify({ number: SANDBOX_SUCCESSES[0].number })}'`,
  ].join(" \\\n");
}
