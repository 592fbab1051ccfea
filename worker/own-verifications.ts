import { SANDBOX_SUCCESSES } from "../contract/sandbox.ts";
import { createApp } from "./app.ts";
import { createIsolate } from "./io.ts";
import type { Isolate } from "./io.ts";
import { createKeyCache } from "./key-cache/key-cache.ts";
import type { KeyRecord } from "./key-cache/record.ts";
import { generateKey } from "./keys/key-format.ts";
import { sleep } from "./platform/time-limit.ts";

const COUNT = 20;
const { number } = SANDBOX_SUCCESSES[0];

/** No account's: its calls are neither counted nor shown to anyone. */
const OWN_KEY: Omit<KeyRecord, "asOf"> = {
  id: "own_verifications",
  userId: "own_verifications",
  mode: "test",
  expiresAt: null,
  cap: null,
  origins: [],
  suspendedAt: null,
  version: 0,
  subscription: null,
};

/** An isolate that remembers no key, so that each verification looks its own up in KV, and that counts nothing. */
function forgetfulIsolate({ env, now, meter }: Isolate): Isolate {
  const keyCache = createKeyCache({ now, sleep, find: async (_, __, asOf) => ({ ...OWN_KEY, asOf }) });
  return { ...createIsolate(env, { now }), keyCache, meter: { ...meter, add() {}, note() {} } };
}

async function verifyOnce(isolate: Isolate): Promise<void> {
  const request = new Request(`${isolate.config().origin}/api/v1/verify`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${generateKey("test")}` },
    body: JSON.stringify({ number }),
  });
  const work: Promise<unknown>[] = [];
  const context = { waitUntil: (promise: Promise<unknown>) => void work.push(promise), passThroughOnException() {} };
  const response = await createApp(isolate).fetch(request, isolate.env, { ...context, props: {} });
  const result = (await response.json()) as { readonly valid?: boolean };
  if (response.status !== 200 || result.valid !== true) throw new Error(`A verification returned ${response.status}`);
  await Promise.allSettled(work);
}

/**
 * Verifies a sandbox number twenty times, one after another, through the whole API: the route, a key looked up in KV, the
 * limits, the engine, and the response. Only the network to a caller and the count behind a response are missing.
 * @returns how long each took, in milliseconds
 * @throws if one fails
 */
export async function timeOwnVerifications(isolate: Isolate): Promise<number[]> {
  const times: number[] = [];
  for (let made = 0; made < COUNT; made++) {
    // The platform's clock stands still between I/O; a timer before and after makes it include the work.
    await sleep(0);
    const startedAt = Date.now();
    await verifyOnce(forgetfulIsolate(isolate));
    await sleep(0);
    times.push(Date.now() - startedAt);
  }
  return times;
}
