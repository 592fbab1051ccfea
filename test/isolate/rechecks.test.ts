import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { apiKeys, users } from "../../schema.ts";
import { GATHER_MS } from "../../worker/keys/cache/gathering.ts";
import { createKvStandIn } from "../kv-stand-in.ts";
import { verify } from "./calls.ts";
import { pass, skip } from "./clock.ts";
import { startNetwork } from "./network.ts";
import type { Caller, NetworkIsolate } from "./network.ts";

const network = startNetwork();

const MINUTE = 60_000;
/** After this, every record is due for comparison with D1. */
const DUE_MS = 10 * MINUTE + 1;

let isolate: NetworkIsolate;
let callers: Caller[];

async function sees(caller: Caller, from = isolate): Promise<string> {
  const { status, code, source } = await verify(from, caller.key);
  return `${code ?? status} ${source}`;
}

function d1Calls({ calls }: NetworkIsolate): number {
  return calls.filter((call) => call === "d1").length;
}

beforeEach(async () => {
  const kv = createKvStandIn({ now: () => Date.now(), sleep: pass });
  isolate = await network.isolate({ kv });
  callers = [];
  for (let made = 0; made < 4; made++) callers.push(await network.caller("live", { plan: "pro" }));
  for (const caller of callers) await sees(caller);
  await isolate.settled();
  skip(DUE_MS);
  isolate.calls.length = 0;
});

test("records due within five seconds are compared in one statement, and no request waits for it", async () => {
  for (const caller of callers) {
    expect(await sees(caller)).toBe("200 kv");
    await pass(GATHER_MS / 20);
  }
  expect(d1Calls(isolate)).toBe(0);
  await isolate.settled();
  expect(d1Calls(isolate)).toBe(1);
  // Each is rewritten to KV, so no other isolate has to query.
  expect(isolate.calls.filter((call) => call === "kv.put")).toHaveLength(callers.length);
  skip(MINUTE);
  for (const caller of callers) expect(await sees(caller)).toBe("200 kv");
  await isolate.settled();
  expect(d1Calls(isolate)).toBe(1);
});

test("a change found by the statement applies to its key, and to no other", async () => {
  const [revoked, erased, suspended, ...others] = callers as [Caller, Caller, Caller, ...Caller[]];
  const { db } = network.worker;
  await db.update(apiKeys).set({ revokedAt: Date.now(), version: 2 }).where(eq(apiKeys.id, revoked.keyId));
  await db.delete(apiKeys).where(eq(apiKeys.id, erased.keyId));
  await db.update(users).set({ suspendedAt: Date.now() }).where(eq(users.id, suspended.userId));
  for (const caller of callers) expect(await sees(caller)).toBe("200 kv");
  await isolate.settled();
  expect(d1Calls(isolate)).toBe(1);
  expect((await verify(isolate, revoked.key)).code).toBe("API_KEY_REVOKED");
  expect((await verify(isolate, erased.key)).code).toBe("INVALID_API_KEY");
  expect((await verify(isolate, suspended.key)).code).toBe("ACCOUNT_SUSPENDED");
  for (const caller of others) expect((await verify(isolate, caller.key)).status).toBe(200);
});

test.each(["down", "hangs"] as const)(
  "a failed statement (D1 %s) rejects no one, and is repeated when D1 is back",
  async (fault) => {
    network.faults.d1 = fault;
    for (const caller of callers) expect(await sees(caller)).toBe("200 kv");
    await isolate.settled();
    network.repair();
    isolate.calls.length = 0;
    skip(MINUTE);
    for (const caller of callers) expect(await sees(caller)).toBe("200 kv");
    await isolate.settled();
    expect(d1Calls(isolate)).toBe(1);
  },
);
