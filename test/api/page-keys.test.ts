import { eq } from "drizzle-orm";
import { request } from "node:http";
import { beforeEach, describe, expect, test } from "vitest";
import { apiKeys } from "../../schema.ts";
import { changeApiKey, insertApiKey } from "../../worker/keys/api-keys.ts";
import { createSession, createSignedIn } from "../factories.ts";
import type { SignedIn } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { ioOf, sessionOf } from "../io.ts";
import { answerTo, post, send } from "../requests.ts";

// Everyone who opens a page has its key: what can they do with it, and what can a stolen session?

const worker = startWorker();
const KEYS = "/api/v1/account/api-keys";
const SHOP = "https://shop.example";
const LOCAL = "http://localhost:5173";
const NUMBER = "+5511987654321";
const MINUTE = 60_000;

let ada: SignedIn;
let addresses = 0;

beforeEach(async () => {
  ada = await createSignedIn(worker.db);
  addresses += 1;
});

const insert = (changes: { mode?: "test"; monthlyCap?: number | null; allowedOrigins?: string[] } = {}) =>
  insertApiKey({
    db: worker.db,
    now: Date.now(),
    userId: ada.id,
    mode: "live",
    name: "Page",
    monthlyCap: 100,
    allowedOrigins: [SHOP, LOCAL],
    ...changes,
  });

/** A call from a page, by a visitor of this test. */
function call(key: string, origin: string | null = SHOP, path = "/verify", body: unknown = { number: NUMBER }) {
  const address = { "CF-Connecting-IP": `192.0.2.${addresses}` };
  return worker.fetch(path, post(key, body, origin === null ? address : { ...address, Origin: origin }));
}

async function outcome(response: Promise<Response>): Promise<string> {
  const { status, json } = await response.then(async (found) => ({ status: found.status, json: await found.json() }));
  const { code } = json as { code?: string };
  return code === undefined ? String(status) : `${status} ${code}`;
}

const ask = (method: string, path: string, body?: unknown, token = ada.token) =>
  answerTo(worker, path, send(method, token, body));

async function fieldsOf(method: string, path: string, body: unknown): Promise<Record<string, string> | undefined> {
  const response = await worker.fetch(path, send(method, ada.token, body));
  return ((await response.json()) as { fields?: Record<string, string> }).fields;
}

const limitsOf = async (id: string) => {
  const { monthlyCap, allowedOrigins } = (await worker.db.select().from(apiKeys).where(eq(apiKeys.id, id)).get())!;
  return { monthlyCap, allowedOrigins };
};

describe("a call from an allowed page", () => {
  test.each(["/verify", "/api/v1/verify"])("of %s gets these fields, which only its page can read", async (path) => {
    const { apiKey } = await insert();
    const body = { number: "+55 11 8765-4321", expect_country: "BR", accept_types: ["mobile"] };
    const response = await call(apiKey, SHOP, path, body);
    expect(response.status).toBe(200);
    expect(await response.json()).toStrictEqual({
      valid: false,
      number: "+551187654321",
      reason: "UNASSIGNED_RANGE",
      suggestion: { number: NUMBER, reason: "NUMBERING_PLAN_CHANGED" },
      line_type: null,
      country_code: "BR",
      accepted: false,
      rejected_because: "INVALID_NUMBER",
    });
    const { headers } = response;
    expect(headers.get("Access-Control-Allow-Origin")).toBe(SHOP);
    expect(headers.get("Vary")).toMatch(/\bOrigin\b/);
    const cors = [...headers.keys()].filter((name) => name.startsWith("access-control-"));
    expect(cors.toSorted()).toStrictEqual(["access-control-allow-origin", "access-control-expose-headers"]);
    expect(headers.get("RateLimit-Policy")).toBe('"calls";q=10;w=60');
  });

  test("works from each origin, and from none with a port, scheme, or name that isn't listed", async () => {
    const { apiKey } = await insert();
    expect(await outcome(call(apiKey, LOCAL))).toBe("200");
    for (const origin of [
      null,
      "null",
      "",
      "*",
      "http://shop.example",
      "https://shop.example:443",
      "https://shop.example:8443",
      "https://shop.example/",
      "https://shop.example.",
      "https://SHOP.example",
      "HTTPS://shop.example",
      "https://shop.example.evil.com",
      "https://evil.com/https://shop.example",
      "https://evilshop.example",
      "https://www.shop.example",
      "https://shop.example@evil.com",
      "https://shop.example, https://evil.com",
      "https://shop.example https://evil.com",
      "http://localhost",
      "http://localhost:51730",
      "http://127.0.0.1:5173",
      new URL(worker.url).origin,
    ]) {
      expect([origin, await outcome(call(apiKey, origin))]).toStrictEqual([origin, "403 ORIGIN_NOT_ALLOWED"]);
    }
  });

  test("with a name in another alphabet is matched as browsers send it, and look-alikes aren't", async () => {
    const created = await worker.fetch(
      KEYS,
      post(ada.token, { mode: "live", monthly_cap: 5, allowed_origins: ["https://müller.example/"] }),
    );
    const { api_key: key, allowed_origins: origins } = (await created.json()) as Record<string, string>;
    expect(origins).toStrictEqual(["https://xn--mller-kva.example"]);
    expect(await outcome(call(key!, "https://xn--mller-kva.example"))).toBe("200");
    for (const origin of ["https://muller.example", "https://xn--mller-kvb.example"]) {
      expect(await outcome(call(key!, origin))).toBe("403 ORIGIN_NOT_ALLOWED");
    }
  });

  test.each([
    ["evil", [SHOP, "https://evil.com"]],
    ["the same", [SHOP, SHOP]],
  ])("with two Origin headers, the second %s, is rejected", async (_, origins) => {
    const { apiKey } = await insert();
    const body = JSON.stringify({ number: NUMBER });
    const headers = ["Authorization", `Bearer ${apiKey}`, "Content-Type", "application/json"];
    headers.push("Content-Length", String(body.length), "Host", new URL(worker.url).host);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(
        `${new URL(worker.url).origin}/verify`,
        { method: "POST", headers: [...headers, ...origins.flatMap((origin) => ["Origin", origin])] },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      sent.on("error", reject);
      sent.end(body);
    });
    expect(status).toBe(403);
  });

  test("a refusal is readable everywhere, so that its developer sees why", async () => {
    const { apiKey } = await insert();
    const response = await call(apiKey, "https://preview.shop.example");
    expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(response.headers.get("Vary")).toMatch(/\bOrigin\b/);
    expect(JSON.stringify(await response.json())).not.toContain(SHOP);
  });

  test("verifies single numbers only", async () => {
    const { apiKey } = await insert();
    for (const origin of [SHOP, null]) {
      const batch = call(apiKey, origin, "/api/v1/verify/batch", { numbers: [NUMBER] });
      expect(await outcome(batch)).toBe("403 PAGE_KEY_REFUSED");
      const rpc = { jsonrpc: "2.0", id: 1, method: "tools/list" };
      expect(await outcome(call(apiKey, origin, "/mcp", rpc))).toBe("403 PAGE_KEY_REFUSED");
      const headers = { "Content-Type": "application/x-ndjson", ...(origin !== null && { Origin: origin }) };
      const lines = post(apiKey, `{"number":"${NUMBER}"}\n`, headers);
      expect(await answerTo(worker, "/api/v1/verify/stream", lines)).toBe("403 PAGE_KEY_REFUSED");
      const quota = send("GET", apiKey, undefined, origin === null ? {} : { Origin: origin });
      expect(await answerTo(worker, "/api/v1/account/quota", quota)).toBe("403 PAGE_KEY_REFUSED");
    }
  });

  test("meets the cap without its figures", async () => {
    const { apiKey } = await insert({ monthlyCap: 2 });
    const seen = [];
    for (let made = 0; made < 3; made++) seen.push(await (await call(apiKey)).json());
    expect(seen).toMatchObject([{ valid: true }, { valid: true }, { code: "KEY_CAP_REACHED" }]);
    expect(Object.keys(seen[2] as object)).toStrictEqual(["error", "code"]);
    expect(JSON.stringify(seen[2])).not.toContain("2");
  });

  test("is one of ten a minute for an address, of which no other visitor or server key notices anything", async () => {
    const { apiKey } = await insert();
    const { apiKey: server } = await insert({ monthlyCap: null, allowedOrigins: [] });
    const { apiKey: other } = await insert();
    for (let made = 0; made < 10; made++) {
      // Another page's key is no way round it.
      expect(await outcome(call(made % 2 === 0 ? apiKey : other))).toBe("200");
    }
    const refused = await call(apiKey);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("Access-Control-Allow-Origin")).toBe(SHOP);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(await refused.text()).toContain("The limit is 10 calls per minute.");
    const ours = await call(server, null);
    expect(ours.status).toBe(200);
    expect(ours.headers.get("RateLimit")).toMatch(/^"requests";r=59;/);
    addresses += 1;
    expect(await outcome(call(apiKey))).toBe("200");
  });
});

test("a live key without origins stays rejected from pages, and a test key works from any", async () => {
  const { apiKey } = await insert({ allowedOrigins: [] });
  expect(await outcome(call(apiKey))).toBe("403 BROWSER_ORIGIN_REFUSED");
  const { apiKey: sandbox } = await insert({ mode: "test", monthlyCap: null, allowedOrigins: [] });
  const response = await call(sandbox, "https://anything.example");
  expect(await response.json()).toMatchObject({ status: "DELIVERED_TO_HANDSET", national_number: "11987654321" });
});

test.each([
  ["DELETE", "authorization"],
  ["PUT", "authorization,x-secret"],
  ["POST", "cookie"],
])("a preflight for %s with %s allows what every page may send, and no more", async (method, headers) => {
  const response = await worker.fetch("/verify", {
    method: "OPTIONS",
    headers: { Origin: SHOP, "Access-Control-Request-Method": method, "Access-Control-Request-Headers": headers },
  });
  expect(response.status).toBe(204);
  expect(response.headers.get("Access-Control-Allow-Methods")).toBe("GET,POST");
  const allowed = response.headers.get("Access-Control-Allow-Headers");
  expect(allowed).toBe("Authorization,Content-Type,Idempotency-Key,User-Agent");
  expect(response.headers.has("Access-Control-Allow-Credentials")).toBe(false);
});

describe("the owner", () => {
  test("creates one with a cap and normalized origins, lists it, and rolls it with the same origins", async () => {
    const created = await worker.fetch(
      KEYS,
      post(ada.token, { mode: "live", monthly_cap: 50, allowed_origins: ["https://Shop.example:443/", LOCAL] }),
    );
    expect(created.status).toBe(201);
    const { id, allowed_origins: origins } = (await created.json()) as { id: string; allowed_origins: string[] };
    expect(origins).toStrictEqual([SHOP, LOCAL]);
    const listed = (await (await worker.fetch(KEYS, send("GET", ada.token))).json()) as { keys: unknown[] };
    expect(listed.keys).toMatchObject([{ id, allowed_origins: [SHOP, LOCAL] }]);
    const rolled = await worker.fetch(`${KEYS}/${id}/roll`, post(ada.token, { grace_hours: 24 }));
    const { api_key: next } = (await rolled.json()) as { api_key: string };
    expect(await outcome(call(next))).toBe("200");
    expect(await outcome(call(next, null))).toBe("403 ORIGIN_NOT_ALLOWED");
    expect(await outcome(call(next, "https://evil.com"))).toBe("403 ORIGIN_NOT_ALLOWED");
  });

  test.each([
    [{ allowed_origins: [SHOP] }, { monthly_cap: "Required with allowed origins" }],
    [{ allowed_origins: [SHOP], monthly_cap: null }, { monthly_cap: "Required with allowed origins" }],
    [
      { mode: "test", allowed_origins: [SHOP] },
      { allowed_origins: "Test keys work from any page, without allowed origins" },
    ],
    [
      { monthly_cap: 5, allowed_origins: [SHOP, "https://*.shop.example"] },
      { "allowed_origins[1]": "Must be an origin, such as https://shop.example or http://localhost:3000" },
    ],
    [{ monthly_cap: 5, allowed_origins: SHOP }, { allowed_origins: "Must be an array of origins" }],
    [{ monthly_cap: 5, allowed_origins: null }, { allowed_origins: "Must be an array of origins" }],
  ])("can't create %j", async (body, fields) => {
    expect(await fieldsOf("POST", KEYS, { mode: "live", ...body })).toStrictEqual(fields);
  });

  test("can't remove the cap, or turn a key that was in a page into one for servers", async () => {
    const { id, apiKey } = await insert();
    const path = `${KEYS}/${id}`;
    expect(await fieldsOf("PATCH", path, { monthly_cap: null })).toHaveProperty("monthly_cap");
    expect(await fieldsOf("PATCH", path, { allowed_origins: [] })).toHaveProperty("allowed_origins");
    const both = { allowed_origins: [], monthly_cap: null };
    expect(await fieldsOf("PATCH", path, both)).toHaveProperty("allowed_origins");
    expect(await limitsOf(id)).toStrictEqual({ monthlyCap: 100, allowedOrigins: [SHOP, LOCAL] });
    expect(await outcome(call(apiKey, null))).toBe("403 ORIGIN_NOT_ALLOWED");
  });

  test("changes origins, and this server follows immediately", async () => {
    const { id, apiKey } = await insert();
    expect(await outcome(call(apiKey, LOCAL))).toBe("200");
    expect(await ask("PATCH", `${KEYS}/${id}`, { allowed_origins: [SHOP, "https://new.example"] })).toBe("200");
    await expect.poll(() => outcome(call(apiKey, LOCAL)), { interval: 200 }).toBe("403 ORIGIN_NOT_ALLOWED");
    expect(await outcome(call(apiKey, "https://new.example"))).toBe("200");
  });

  test("turns a key for servers into one for pages, with its cap in the same change", async () => {
    const { id } = await insert({ monthlyCap: null, allowedOrigins: [] });
    expect(await ask("PATCH", `${KEYS}/${id}`, { allowed_origins: [SHOP] })).toBe("400 VALIDATION_FAILED");
    expect(await ask("PATCH", `${KEYS}/${id}`, { allowed_origins: [SHOP], monthly_cap: 9 })).toBe("200");
    expect(await limitsOf(id)).toStrictEqual({ monthlyCap: 9, allowedOrigins: [SHOP] });
  });
});

describe("a session eleven minutes after its password", () => {
  let stolen: string;

  beforeEach(async () => {
    ({ token: stolen } = await createSession(worker.db, ada.id, { passwordAt: Date.now() - 11 * MINUTE }));
  });

  test("adds no origin, alone, in place of another, or with a lower cap", async () => {
    const { id } = await insert();
    for (const body of [
      { allowed_origins: [SHOP, LOCAL, "https://evil.com"] },
      { allowed_origins: ["https://evil.com"] },
      { allowed_origins: ["https://evil.com"], monthly_cap: 1 },
      { allowed_origins: ["https://evil.com"], name: "Renamed" },
    ]) {
      expect(await ask("PATCH", `${KEYS}/${id}`, body, stolen)).toBe("403 PASSWORD_REQUIRED");
    }
    expect(await limitsOf(id)).toStrictEqual({ monthlyCap: 100, allowedOrigins: [SHOP, LOCAL] });
    const create = { mode: "live", monthly_cap: 1, allowed_origins: ["https://evil.com"] };
    expect(await ask("POST", KEYS, create, stolen)).toBe("403 PASSWORD_REQUIRED");
  });

  test("may remove one", async () => {
    const { id } = await insert();
    expect(await ask("PATCH", `${KEYS}/${id}`, { allowed_origins: [SHOP] }, stolen)).toBe("200");
    expect(await limitsOf(id)).toStrictEqual({ monthlyCap: 100, allowedOrigins: [SHOP] });
  });

  test("can't put back an origin that its owner removes at the same time", async () => {
    const { id } = await insert();
    const io = ioOf(worker);
    const [owner, thief] = await Promise.all([ada.token, stolen].map((token) => sessionOf(io, token)));
    const [, theirs] = await Promise.allSettled([
      changeApiKey(io, owner!, { id, allowedOrigins: [LOCAL] }),
      changeApiKey(io, thief!, { id, allowedOrigins: [SHOP, LOCAL] }),
    ]);
    // Theirs may come first, when it allows no more than before; the owner's then follows.
    if (theirs.status === "rejected") expect(theirs.reason).toMatchObject({ code: "PASSWORD_REQUIRED" });
    expect(await limitsOf(id)).toMatchObject({ allowedOrigins: [LOCAL] });
  });
});
