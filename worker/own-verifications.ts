import { SANDBOX_SUCCESSES } from "../contract/sandbox.ts";
import { createApp } from "./app.ts";
import { createIsolate } from "./io.ts";
import type { Isolate } from "./io.ts";
import { createKeyCache } from "./key-cache/key-cache.ts";
import type { KeyRecord } from "./key-cache/record.ts";
import { generateKey } from "./keys/key-format.ts";
import { sleep } from "./platform/time-limit.ts";
import { HOUR_MS } from "./platform/time.ts";

const COUNT = 20;
const { number } = SANDBOX_SUCCESSES[0];

/**
 * The key of a trial that is new every hour, so its quota is never used up. D1 doesn't know its account: the calls are
 * nobody's usage, and the account's ledger erases itself the next day.
 */
function ownKey(now: number): Omit<KeyRecord, "asOf"> {
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
  };
}

/** A new isolate: it looks the key up in KV, and knows nothing of the limits. */
function newIsolate({ env, now }: Isolate): Isolate {
  const find = async (_: unknown, __: string, asOf: number) => ({ ...ownKey(asOf), asOf });
  return { ...createIsolate(env, { now }), keyCache: createKeyCache({ now, sleep, find }) };
}

/** @param waitUntil gets the work behind the response, which counts the call */
async function verifyOnce(isolate: Isolate, waitUntil: (work: Promise<unknown>) => void): Promise<void> {
  const request = new Request(`${isolate.config().origin}/api/v1/verify`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${generateKey("live")}` },
    body: JSON.stringify({ number }),
  });
  const context = { waitUntil, passThroughOnException() {}, props: {} };
  const response = await createApp(isolate).fetch(request, isolate.env, context);
  const result = (await response.json()) as { readonly valid?: boolean };
  if (response.status !== 200 || result.valid !== true) throw new Error(`A verification returned ${response.status}`);
}

/**
 * Verifies a number twenty times, one after another, as lone calls of a trial: through the route, a key looked up in KV,
 * the limits, the quota, the engine, and the response. Only the network to a caller is missing.
 * @returns how long each took, in milliseconds
 * @throws if one fails
 */
export async function timeOwnVerifications(isolate: Isolate): Promise<number[]> {
  const times: number[] = [];
  const work: Promise<unknown>[] = [];
  try {
    for (let made = 0; made < COUNT; made++) {
      // The platform's clock stands still between I/O; a timer before and after makes it include the work.
      await sleep(0);
      const startedAt = Date.now();
      await verifyOnce(newIsolate(isolate), (each) => void work.push(each));
      await sleep(0);
      times.push(Date.now() - startedAt);
    }
    return times;
  } finally {
    await Promise.allSettled(work);
  }
}
