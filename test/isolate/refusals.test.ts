import { beforeEach, expect, test } from "vitest";
import { insertApiKey } from "../../worker/keys/api-keys.ts";
import { from } from "../attempts.ts";
import { post } from "../requests.ts";
import { VALID } from "./calls.ts";
import { skip } from "./clock.ts";
import { startNetwork } from "./network.ts";
import type { NetworkIsolate } from "./network.ts";

const network = startNetwork();

const SHOP = { Origin: "https://shop.example" };
const ELSEWHERE = { Origin: "https://elsewhere.example" };

let isolate: NetworkIsolate;
let userId: string;
let pageKey: string;

beforeEach(async () => {
  isolate = await network.isolate();
  ({ userId } = await network.caller("live", { plan: "pro" }));
  const options = { userId, mode: "live" as const, name: "Shop", allowedOrigins: [SHOP.Origin] };
  pageKey = (await insertApiKey({ db: network.worker.db, now: Date.now(), ...options })).apiKey;
});

async function call(headers: Record<string, string>, address = "192.0.2.1", key = pageKey): Promise<number> {
  const response = await isolate.fetch(
    "/api/v1/verify",
    post(key, { number: VALID }, { ...headers, ...from(address) }),
  );
  await response.body?.cancel();
  return response.status;
}

test("60 calls per minute that a key may not make are refused, and more are limited, unlike those it may", async () => {
  const statuses: number[] = [];
  for (let made = 0; made < 70; made++) statuses.push(await call(ELSEWHERE));
  expect(statuses.filter((status) => status === 403)).toHaveLength(60);
  expect(statuses.slice(60)).toStrictEqual(Array<number>(10).fill(429));
  expect(await call(SHOP)).toBe(200);
  expect(await call(ELSEWHERE, "192.0.2.2")).toBe(403);
  skip(60_000);
  expect(await call(ELSEWHERE)).toBe(403);
});

test("an address has 120 for all keys", async () => {
  let refused = 0;
  for (let keys = 0; keys < 3; keys++) {
    const { key } = await network.caller();
    for (let made = 0; made < 60; made++) if ((await call(ELSEWHERE, "192.0.2.3", key)) === 403) refused += 1;
  }
  expect(refused).toBe(120);
});

test("only the first of a minute is in the account's activity, and wakes its ledger", async () => {
  for (let made = 0; made < 5; made++) {
    await call(ELSEWHERE, `192.0.2.${made}`);
    skip(5_000);
    await isolate.settled();
  }
  expect(isolate.calls.filter((name) => name.startsWith("ledger"))).toHaveLength(1);
});

test("a visitor's Idempotency-Key is neither compared with the server's nor remembered", async () => {
  const { key } = await network.caller("live", { plan: "pro" });
  const order = { "Idempotency-Key": "order-4711" };
  const server = (await insertApiKey({ db: network.worker.db, now: Date.now(), userId, mode: "live", name: "Server" }))
    .apiKey;
  const send = (headers: Record<string, string>, number: string, by: string) =>
    isolate.fetch("/api/v1/verify", post(by, { number }, headers));
  expect((await send({ ...SHOP, ...order }, VALID, pageKey)).status).toBe(200);
  expect((await send(order, "+12125550123", server)).status).toBe(200);
  expect((await send({ ...SHOP, ...order }, VALID, pageKey)).status).toBe(200);
  expect((await send({ ...SHOP, "Idempotency-Key": "a b" }, VALID, pageKey)).status).toBe(200);
  expect((await send(order, VALID, server)).status).toBe(422);
  expect((await send(order, VALID, key)).status).toBe(200);
});
