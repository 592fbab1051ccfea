import { SANDBOX_SUCCESSES } from "../contract/sandbox.ts";
import type { Isolate } from "./io.ts";
import type { KeyRecord } from "./key-cache/record.ts";
import { generateKey, hashKey } from "./keys/key-format.ts";
import { sleep } from "./platform/time-limit.ts";
import { HOUR_MS } from "./platform/time.ts";

const COUNT = 20;
const { number } = SANDBOX_SUCCESSES[0];

/**
 * The key of a trial that is new every hour, so its quota is never used up. D1 doesn't know its account: the calls are
 * nobody's usage, and the account's ledger erases itself the next day.
 */
function ownKey(now: number): KeyRecord {
  const startedAt = now - (now % HOUR_MS);
  return {
    id: "own_verifications",
    userId: `own_verifications_${startedAt / HOUR_MS}`,
    mode: "live",
    expiresAt: null,
    root: "own_verifications",
    cap: null,
    origins: [],
    needs: [],
    suspendedAt: null,
    version: 0,
    subscription: { plan: "trial", status: "active", startedAt, expiresAt: null },
    asOf: now,
  };
}

/** The API of this isolate. `waitUntil` gets the work behind a response. */
export type Serve = (request: Request, waitUntil: (work: Promise<unknown>) => void) => Promise<Response>;

/**
 * Verifies a number twenty times, one after another, as lone calls of a trial with a key in memory: through the route, the
 * limits, the quota, the engine, and the response. The network to a caller, and the lookup of a new key, are missing.
 * @returns how long each took, in milliseconds
 * @throws if one fails
 */
export async function timeOwnVerifications({ keyCache, config, now }: Isolate, serve: Serve): Promise<number[]> {
  const key = generateKey("live");
  keyCache.remember(hashKey(key), ownKey(now()));
  const times: number[] = [];
  const work: Promise<unknown>[] = [];
  try {
    for (let made = 0; made < COUNT; made++) {
      const request = new Request(`${config().origin}/api/v1/verify`, {
        method: "POST",
        headers: { "Content-Type": "application/json", Authorization: `Bearer ${key}` },
        body: JSON.stringify({ number }),
      });
      // The platform's clock stands still between I/O; a timer before and after makes it include the work.
      await sleep(0);
      const startedAt = Date.now();
      const response = await serve(request, (each) => void work.push(each));
      const result = (await response.json()) as { readonly valid?: boolean };
      if (response.status !== 200 || result.valid !== true)
        throw new Error(`A verification returned ${response.status}`);
      await sleep(0);
      times.push(Date.now() - startedAt);
    }
    return times;
  } finally {
    await Promise.allSettled(work);
  }
}
