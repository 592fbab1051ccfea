import { readFileSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { DEMO_LOOKUPS_PER_MINUTE } from "../../contract/limits.ts";
import { SANDBOX_FAILURES, SANDBOX_SUCCESSES } from "../../contract/sandbox.ts";
import { signInAttempts, users } from "../../schema.ts";
import { attemptSubject } from "../../worker/limits/attempts.ts";
import { LIMITS } from "../../worker/limits/table.ts";
import { ROOT } from "../../scripts/local/run.ts";
import { createKey } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { run } from "../programs.ts";
import { post, send } from "../requests.ts";
import { TEST_SECRETS, TEST_SETTINGS } from "../worker.ts";

const worker = startWorker();

const PATH = "/api/v1/demo/lookup";
const VALID = { number: "+55 (11) 97123-4567" };
/** A request from a page of the site at the configured address. */
const PAGE = { Origin: TEST_SETTINGS.PUBLIC_ORIGIN, "Sec-Fetch-Site": "same-origin" };
const LIMIT = DEMO_LOOKUPS_PER_MINUTE;
const POLICY = `"demo";q=${LIMIT};w=60`;

type Headed = Readonly<Record<string, string>>;

let addresses = 0;

/** An address no other test uses, from the ranges reserved for examples. */
function newAddress(): string {
  addresses += 1;
  return `198.51.100.${addresses}`;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Reads the response immediately: with many responses, unread ones may lose their bodies. */
async function call(init: RequestInit): Promise<Answer> {
  const response = await worker.fetch(PATH, init);
  const body = (await response.json()) as Answer["body"];
  return { status: response.status, headers: response.headers, body };
}

/** Looks up a number like our page, from a separate address by default. */
function lookUp(body: unknown, address = newAddress(), headers: Headed = {}): Promise<Answer> {
  return call(post(null, body, { ...PAGE, "CF-Connecting-IP": address, ...headers }));
}

/** This file's live verifications that usage counts. */
let live = 0;

async function verifyLive(body: unknown): Promise<unknown> {
  const response = await worker.fetch("/api/v1/verify", post(await createKey(worker.db, "live"), body));
  if (response.status === 200) live += 1;
  return response.json();
}

/** Sends a valid lookup with only these origin headers. */
function from(headers: Headed): Promise<Answer> {
  return call(post(null, VALID, { "CF-Connecting-IP": newAddress(), ...headers }));
}

async function counted(address: string): Promise<number | undefined> {
  const { id } = attemptSubject(TEST_SECRETS.attempts.current, LIMITS.demoPerAddress, { address });
  return (await worker.db.select().from(signInAttempts).where(eq(signInAttempts.subject, id)).get())?.count;
}

/** The `r` and `t` of RateLimit: what is left, and the seconds until more is available. */
function remaining({ headers }: Answer): { left: number; seconds: number } {
  const [, left, seconds] = /^"demo";r=(\d+);t=(\d+)$/.exec(headers.get("RateLimit") ?? "") ?? [];
  return { left: Number(left), seconds: Number(seconds) };
}

function expectRejected(answer: Answer): void {
  expect(answer.status).toBe(429);
  expect(answer.body).toMatchObject({ code: "RATE_LIMITED" });
  const { left, seconds } = remaining(answer);
  expect(left).toBe(0);
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(answer.headers.get("Retry-After")).toBe(String(seconds));
  expect(answer.headers.get("RateLimit-Policy")).toBe(POLICY);
  expect(answer.body["error"]).toBe(
    `The limit is ${LIMIT} lookups per minute. Try again in ${seconds} second${seconds === 1 ? "" : "s"}.`,
  );
}

describe("a response of the demo", () => {
  test.each(["+55 (11) 97123-4567", "+12024561414", "+12025550106", "hello", "+1202", "12025550108", "+999 123 4567"])(
    "to %s matches that of a live key",
    async (number) => {
      const { status, headers, body } = await lookUp({ number });
      expect(status).toBe(200);
      expect(body).toStrictEqual(await verifyLive({ number }));
      expect(headers.get("Cache-Control")).toBe("no-store");
      expect(headers.get("X-Request-Id")).toMatch(/^req_/);
    },
  );

  test("says whether the number is accepted, as for a live key", async () => {
    const portuguese = { expect_country: "PT", accept_types: ["mobile"] };
    for (const number of ["+351 912 345 678", "+351 212 345 678", "+55 11 97123-4567", "hello"]) {
      const body = { number, ...portuguese };
      expect((await lookUp(body)).body).toStrictEqual(await verifyLive(body));
    }
    expect(await lookUp({ ...VALID, ...portuguese })).toMatchObject({
      status: 200,
      body: { valid: true, accepted: false, rejected_because: "OTHER_COUNTRY" },
    });
    for (const wrong of [{ expect_country: "ZZ" }, { accept_types: [] }, { accept_types: ["fax"] }]) {
      expect(await lookUp({ ...VALID, ...wrong })).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
    }
  });

  test("to an invalid number says why", async () => {
    const body = { valid: false, reason: "UNASSIGNED_RANGE" };
    expect(await lookUp({ number: "+1 200 456 1414" })).toMatchObject({ status: 200, body });
  });

  test.each(["Bearer garbage", "Basic YTpi", "Bearer ch_live_"])("ignores the credential %s", async (Authorization) => {
    expect((await lookUp(VALID, newAddress(), { Authorization })).status).toBe(200);
  });
});

describe("a number in national format", () => {
  const CAPITOL = { number: "(202) 224-3121", country: "visitor" };
  const at = (country?: string): Headed => (country === undefined ? {} : { "MF-CF-Blob": JSON.stringify({ country }) });

  test.each([
    ["US", CAPITOL.number, "+12022243121"],
    ["DE", "030 901820", "+4930901820"],
  ])("is read in the country of a visitor from %s, which the response names", async (country, number, read) => {
    const { body, headers } = await lookUp({ number, country: "visitor" }, newAddress(), at(country));
    expect(body).toStrictEqual(await verifyLive({ number, country }));
    expect(body).toMatchObject({ valid: true, number: read });
    expect([headers.get("Read-As"), headers.get("Cache-Control")]).toStrictEqual([country, "no-store"]);
  });

  test.each([undefined, "XX", "T1", "AQ"])("lacks a country if the visitor's is %s", async (country) => {
    const { body, headers } = await lookUp(CAPITOL, newAddress(), at(country));
    expect(body).toMatchObject({ valid: false, reason: "MISSING_COUNTRY_CODE" });
    expect(headers.has("Read-As")).toBe(false);
  });

  test("is read in the country that was chosen, wherever the visitor is", async () => {
    const { body, headers } = await lookUp({ ...CAPITOL, country: "us" }, newAddress(), at("DE"));
    expect(body).toMatchObject({ valid: true, number: "+12022243121" });
    expect(headers.has("Read-As")).toBe(false);
  });
});

describe("allowed callers", () => {
  test("our page, at its configured address, with or without the browser's confirmation", async () => {
    for (const headers of [PAGE, { Origin: PAGE.Origin }, { "Sec-Fetch-Site": "same-origin" }]) {
      expect((await from(headers)).status).toBe(200);
    }
  });

  test("our page, at any address that serves it", async () => {
    const served = new URL(worker.url);
    expect((await from({ Origin: served.origin })).status).toBe(200);
    for (const name of ["localhost", "127.0.0.1"]) {
      expect((await from({ Origin: `http://${name}:${served.port}` })).status).toBe(200);
    }
    expect((await from({ Origin: `http://localhost:${Number(served.port) + 2}` })).status).toBe(403);
  });

  const FOREIGN: Headed[] = [
    {},
    { Origin: "null" },
    { Origin: "https://some-page.example" },
    { Origin: "http://checkline.test" },
    { Origin: "https://checkline.test:8443" },
    { Origin: "https://www.checkline.test" },
    { Origin: "https://checkline.test.evil.example" },
    { Origin: "https://checkline.test@evil.example" },
    { Origin: "https://some-page.example", "Sec-Fetch-Site": "same-origin" },
    { Origin: TEST_SETTINGS.PUBLIC_ORIGIN, "Sec-Fetch-Site": "cross-site" },
    { Origin: TEST_SETTINGS.PUBLIC_ORIGIN, "Sec-Fetch-Site": "same-site" },
    { "Sec-Fetch-Site": "cross-site" },
    { "Sec-Fetch-Site": "none" },
    { Referer: `${TEST_SETTINGS.PUBLIC_ORIGIN}/` },
  ];
  test.each(FOREIGN.map((headers) => [JSON.stringify(headers), headers] as const))(
    "no one with %s, and it is not counted",
    async (_, headers) => {
      const address = newAddress();
      const answer = await from({ ...headers, "CF-Connecting-IP": address });
      expect(answer).toMatchObject({ status: 403, body: { code: "DEMO_ORIGIN_REFUSED" } });
      expect(answer.body["error"]).toContain("test key");
      expect(answer.headers.has("Access-Control-Allow-Origin")).toBe(false);
      expect(answer.headers.has("RateLimit")).toBe(false);
      expect(await counted(address)).toBeUndefined();
    },
  );

  test("another site gets no permission from a preflight", async () => {
    const headers = { Origin: "https://some-page.example", "Access-Control-Request-Method": "POST" };
    const answer = await call({ method: "OPTIONS", headers });
    expect(answer.status).toBe(405);
    expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control-"))).toStrictEqual([]);
  });

  test.each(["GET", "PUT", "DELETE"])("no one by %s", async (method) => {
    const answer = await call(send(method, null, undefined, PAGE));
    expect(answer).toMatchObject({ status: 405, body: { code: "METHOD_NOT_ALLOWED" } });
    expect(answer.headers.get("Allow")).toBe("POST");
  });
});

describe("the lookups of a minute", () => {
  test("are counted down for the page, whatever the numbers, and the next is rejected until the minute is over", async () => {
    const address = newAddress();
    const numbers = ["+12024561414", "+12024561414", "hello", "+1202", "+442083661177"];
    for (let made = 0; made < LIMIT; made += 1) {
      const answer = await lookUp({ number: numbers[made % numbers.length] }, address);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("RateLimit-Policy")).toBe(POLICY);
      expect(answer.headers.has("Retry-After")).toBe(false);
      expect(remaining(answer).left).toBe(LIMIT - 1 - made);
      expect(remaining(answer).seconds).toBeLessThanOrEqual(60);
    }
    expectRejected(await lookUp(VALID, address));
    expectRejected(await lookUp(VALID, address));
    expect(remaining(await lookUp(VALID, newAddress())).left).toBe(LIMIT - 1);
    await worker.db.update(signInAttempts).set({ windowEndsAt: Date.now() - 1 });
    expect(remaining(await lookUp(VALID, address))).toStrictEqual({ left: LIMIT - 1, seconds: 60 });
  });

  test("are exactly as many of twice as many concurrent ones", async () => {
    const address = newAddress();
    const answers = await Promise.all(Array.from({ length: 2 * LIMIT }, () => lookUp(VALID, address)));
    const admitted = answers.filter(({ status }) => status === 200);
    const left = admitted.map((answer) => remaining(answer).left);
    expect(left.toSorted((a, b) => a - b)).toStrictEqual(Array.from({ length: LIMIT }, (_, index) => index));
    const rejected = answers.filter(({ status }) => status !== 200);
    expect(rejected).toHaveLength(LIMIT);
    for (const answer of rejected) expectRejected(answer);
    expect(await counted(address)).toBe(LIMIT);
  });

  test("are shared by an IPv6 network", async () => {
    expect(remaining(await lookUp(VALID, "2001:db8:1:2::1")).left).toBe(LIMIT - 1);
    expect(remaining(await lookUp(VALID, "2001:db8:1:ffff::2")).left).toBe(LIMIT - 2);
    expect(remaining(await lookUp(VALID, "2001:db8:2::1")).left).toBe(LIMIT - 1);
  });

  const MALFORMED: readonly (readonly [string, unknown, number, string, string])[] = [
    ["an empty number", { number: "" }, 400, "VALIDATION_FAILED", "(number: Must not be empty)"],
    ["a blank number", { number: " \t\n" }, 400, "VALIDATION_FAILED", "(number: Must not be empty)"],
    ["no number", {}, 400, "VALIDATION_FAILED", "(number: Required)"],
    ["a number that is none", { number: 12024561414 }, 400, "VALIDATION_FAILED", "(number: Must be a string)"],
    ["251 characters", { number: "1".repeat(251) }, 400, "VALIDATION_FAILED", "at most 250 characters"],
    ["no country", { ...VALID, country: "UK" }, 400, "VALIDATION_FAILED", "(country: Use GB for the United Kingdom)"],
    ["two unknown fields", { ...VALID, a: 1, b: 2 }, 400, "VALIDATION_FAILED", "a: Unknown field; b: Unknown field"],
    ["a list", [VALID], 400, "VALIDATION_FAILED", "Must be an object"],
    ["no body", "", 400, "INVALID_JSON", "empty"],
    ["half a body", '{"number": "+1202', 400, "INVALID_JSON", "JSON"],
    ["9 KB", { number: "+1", padding: "x".repeat(9000) }, 413, "PAYLOAD_TOO_LARGE", "8 KB"],
  ];
  test.each(MALFORMED)("are not used up by %s", async (_, body, status, code, says) => {
    const address = newAddress();
    for (let made = 0; made < 6; made++) {
      const answer = await lookUp(body, address);
      expect({ status: answer.status, code: answer.body["code"] }).toStrictEqual({ status, code });
      expect(answer.body["error"]).toContain(says);
    }
    expect(await counted(address)).toBeUndefined();
    expect(remaining(await lookUp(VALID, address)).left).toBe(LIMIT - 1);
  });

  test("are not used up by a form", async () => {
    const address = newAddress();
    const answer = await lookUp("number=1", address, { "Content-Type": "application/x-www-form-urlencoded" });
    expect(answer).toMatchObject({ status: 415, body: { code: "UNSUPPORTED_MEDIA_TYPE" } });
    expect(await counted(address)).toBeUndefined();
  });

  test("reject an empty number like a live verification", async () => {
    expect((await lookUp({ number: " " })).body).toStrictEqual(await verifyLive({ number: " " }));
  });
});

test("usage counts no lookup of the demo, not even one with a live key", async () => {
  const key = await createKey(worker.db, "live");
  for (let made = 0; made < 3; made++) await lookUp(VALID, newAddress(), { Authorization: `Bearer ${key}` });
  await verifyLive(VALID);
  // The queue is ordered: had the lookups been counted, they would be there too.
  await expect.poll(totals, { timeout: 20_000 }).toBeGreaterThanOrEqual(live);
  expect(await totals()).toBe(live);
});

async function totals(): Promise<number> {
  const all = await worker.db.select({ id: users.id }).from(users);
  const used = await Promise.all(all.map(({ id }) => worker.env.LEDGER.getByName(id).usage({ first: "", last: "~" })));
  return used.flatMap(({ days }) => days).reduce((sum, { total }) => sum + total, 0);
}

test("the sandbox's own numbers use up no lookups, and no other number passes for one", async () => {
  const address = newAddress();
  const sandbox = [...SANDBOX_SUCCESSES, ...SANDBOX_FAILURES];
  for (let made = 0; made < 3; made += 1) {
    for (const { number } of sandbox) {
      const answer = await lookUp({ number, sandbox: true }, address);
      expect([200, 400]).toContain(answer.status);
      expect(answer.headers.has("RateLimit")).toBe(false);
    }
    expect((await lookUp({ ...VALID, sandbox: true }, address)).status).toBe(400);
  }
  expect(await counted(address)).toBeUndefined();
  for (let made = 0; made < LIMIT; made += 1) expect((await lookUp(VALID, address)).status).toBe(200);
  expectRejected(await lookUp(VALID, address));
  expect((await lookUp({ number: sandbox[0]!.number, sandbox: true }, address)).status).toBe(200);
});

test("the sandbox's own numbers get a test key's response, and no other number does", async () => {
  expect(await lookUp({ number: "+5511987654321", sandbox: true })).toMatchObject({
    status: 200,
    body: { status: "DELIVERED_TO_HANDSET" },
  });
  expect(await lookUp({ number: "+12025550109", sandbox: true })).toMatchObject({
    status: 400,
    body: { code: "REJECTED_SUBSCRIBER_ABSENT" },
  });
  expect(await lookUp({ ...VALID, sandbox: true })).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
});

test("the README's first command runs as pasted", async () => {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const command = /^curl [^`]*/m.exec(readme)![0].replaceAll("http://localhost:8787", worker.url.replace(/\/$/, ""));
  const { exit, stdout } = await run("sh", ["-c", command], { cwd: ROOT, env: {} });
  expect(exit).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ valid: true, carrier: "TIM" });
});
