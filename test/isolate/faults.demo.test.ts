import { describe, expect, test } from "vitest";
import { DEMO_LOOKUPS_PER_MINUTE } from "../../contract/limits.ts";
import { SANDBOX_SUCCESSES } from "../../contract/sandbox.ts";
import { keyedHash } from "../../worker/platform/hash.ts";
import { post } from "../requests.ts";
import { TEST_SECRETS } from "../worker.ts";
import type { Faults } from "./bindings.ts";
import { INVALID, VALID } from "./calls.ts";
import { pass } from "./clock.ts";
import { startNetwork } from "./network.ts";
import type { NetworkIsolate } from "./network.ts";

const network = startNetwork();
const SANDBOX = { number: SANDBOX_SUCCESSES[0].number, sandbox: true };

let addresses = 0;

interface Seen {
  readonly status: number;
  readonly headers: Headers;
  /** Milliseconds. */
  readonly waited: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** An address no other test uses. */
function newAddress(): string {
  addresses += 1;
  return `198.51.100.${addresses}`;
}

async function lookUp(isolate: NetworkIsolate, address: string, body: unknown = { number: VALID }): Promise<Seen> {
  const started = Date.now();
  const page = { Origin: "https://checkline.test", "CF-Connecting-IP": address };
  const response = await isolate.fetch("/api/v1/demo/lookup", post(null, body, page));
  const waited = Date.now() - started;
  return { status: response.status, headers: response.headers, waited, body: (await response.json()) as Seen["body"] };
}

describe("a lookup of the demo while a part fails", () => {
  const ANSWERED: readonly Partial<Faults>[] = [
    {},
    { kv: "down" },
    { kv: "429" },
    { kv: "hangs" },
    { queue: "rejects" },
    { queue: "hangs" },
    { kv: "down", queue: "rejects" },
  ];
  test.each(ANSWERED)("%j: gets an immediate response", async (faults) => {
    const isolate = await network.isolate();
    Object.assign(network.faults, faults);
    expect(await lookUp(isolate, newAddress())).toMatchObject({ status: 200, waited: 0, body: { valid: true } });
  });

  test.each([
    ["down", 0],
    ["overloaded", 0],
    ["takes no writes", 0],
    ["slow", 500],
    ["hangs", 500],
  ] as const)("D1 %s: is a 503 after %i ms, and works again with D1", async (d1, waited) => {
    const isolate = await network.isolate();
    const address = newAddress();
    network.faults.d1 = d1;
    const answer = await lookUp(isolate, address);
    expect(answer).toMatchObject({ status: 503, waited, body: { code: "TEMPORARILY_UNAVAILABLE" } });
    expect(answer.headers.get("Retry-After")).toBe("5");
    expect(answer.headers.has("RateLimit")).toBe(false);
    expect(network.logs.filter((line) => line.includes("demo_count_failed"))).toHaveLength(1);
    // Malformed input needs no database, and neither do the sandbox's own numbers.
    expect(await lookUp(isolate, address, { number: "" })).toMatchObject({ status: 400, waited: 0 });
    expect(await lookUp(isolate, address, SANDBOX)).toMatchObject({ status: 200, waited: 0 });
    network.repair();
    await pass(5_000);
    expect(await lookUp(isolate, address)).toMatchObject({ status: 200, waited: 0 });
  });

  test("a late count still counts, once", async () => {
    const isolate = await network.isolate();
    const address = newAddress();
    network.faults.d1 = "slow";
    expect((await lookUp(isolate, address)).status).toBe(503);
    await pass(2_000);
    network.repair();
    const { headers } = await lookUp(isolate, address);
    expect(headers.get("RateLimit")).toContain(`"demo";r=${DEMO_LOOKUPS_PER_MINUTE - 2};`);
  });
});

describe("what leaves the isolate", () => {
  test("for a lookup is one call to the platform's limiter and one to D1, valid or not, and nothing in the background", async () => {
    const isolate = await network.isolate();
    for (const number of [VALID, INVALID]) {
      await lookUp(isolate, newAddress(), { number });
      await isolate.settled();
      expect(isolate.calls.splice(0)).toStrictEqual(["backstop", "d1"]);
    }
    expect(network.queued()).toBe(0);
  });

  test("for a number of the sandbox is two calls to the platform's limiter, which can reject it", async () => {
    const isolate = await network.isolate();
    const address = newAddress();
    expect((await lookUp(isolate, address, SANDBOX)).status).toBe(200);
    expect(isolate.calls.splice(0)).toStrictEqual(["backstop", "backstop"]);
    const documents = keyedHash(TEST_SECRETS.attempts.current, "backstop-documents", address);
    network.faults.backstop = (asked) => asked === documents;
    expect((await lookUp(isolate, address, SANDBOX)).status).toBe(429);
    expect((await lookUp(isolate, address)).status).toBe(200);
  });

  test("for a malformed one is the limiter's call, and for one from elsewhere nothing", async () => {
    const isolate = await network.isolate();
    await lookUp(isolate, newAddress(), { number: 1 });
    expect(isolate.calls.splice(0)).toStrictEqual(["backstop"]);
    const elsewhere = { Origin: "https://some-page.example" };
    const rejected = await isolate.fetch("/api/v1/demo/lookup", post(null, { number: VALID }, elsewhere));
    expect(rejected.status).toBe(403);
    expect(isolate.calls).toStrictEqual([]);
  });

  test("for an address that the limiter rejects is nothing more, well-formed or not", async () => {
    const isolate = await network.isolate();
    const address = newAddress();
    const subject = keyedHash(TEST_SECRETS.attempts.current, "backstop-demo", address);
    network.faults.backstop = (asked) => asked === subject;
    for (const body of [{ number: VALID }, { number: "" }]) {
      const answer = await lookUp(isolate, address, body);
      expect(answer).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
      expect(answer.headers.get("Retry-After")).toBe("60");
      expect(answer.headers.get("RateLimit")).toBe('"demo";r=0;t=60');
      expect(isolate.calls.splice(0)).toStrictEqual(["backstop"]);
    }
    expect((await lookUp(isolate, newAddress())).status).toBe(200);
  });
});

test("two isolates share the limit", async () => {
  const isolates = [await network.isolate(), await network.isolate()];
  const address = newAddress();
  const statuses: number[] = [];
  for (let made = 0; made <= DEMO_LOOKUPS_PER_MINUTE; made++)
    statuses.push((await lookUp(isolates[made % 2]!, address)).status);
  expect(statuses).toStrictEqual([...Array<number>(DEMO_LOOKUPS_PER_MINUTE).fill(200), 429]);
  await pass(60_000);
  expect((await lookUp(isolates[0]!, address)).status).toBe(200);
});
