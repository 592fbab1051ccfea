import type { KeyMode } from "../../contract/limits.ts";
import { SANDBOX_FAILURES, SANDBOX_SUCCESSES } from "../../contract/sandbox.ts";
import { PASSWORD } from "../../test/factories.ts";
import { post, send } from "../../test/requests.ts";
import { generateKey } from "../../worker/keys/key-format.ts";
import { randomBase62 } from "../../worker/platform/random.ts";
import type { Usage } from "./ledger.ts";
import type { Customer, Population } from "./population.ts";
import type { Reply } from "./report.ts";

/** A request and its expected outcomes. */
export interface Call {
  readonly path: string;
  readonly init: RequestInit;
  /** The error codes that the response may have, and "OK" for a success. */
  readonly expects: readonly string[];
  /** Whose usage the response is; absent for calls that are never counted. */
  readonly usage?: Usage;
  /** Follow-up calls for the response. */
  readonly next?: (reply: Reply) => readonly Call[];
}

/** A kind of traffic. */
interface Kind {
  /** Its frequency, relative to the others. */
  readonly weight: number;
  /** The initial calls. Calls in the same list are sent at about the same time. */
  calls(population: Population): readonly Call[];
}

/** A planned call, with the name of its kind. */
export interface Planned {
  readonly kind: string;
  readonly call: Call;
}

/** An endless supply of calls. */
export interface Traffic {
  next(): Planned;
  /** Plans follow-up calls for a response. */
  follow(sent: Planned, reply: Reply): void;
}

const API = "/api/v1";
const NUMBERS = [
  "+5511987654321",
  "+12024561111",
  "+442079460018",
  "+4930901820",
  "+33142685300",
  "+919876543210",
  "+81312345678",
  "+61291234567",
  "+551198",
  "+999123456789",
  "not a number",
];
const SANDBOX = [...SANDBOX_SUCCESSES, ...SANDBOX_FAILURES].map(({ number }) => number);
const FAILURES = SANDBOX_FAILURES.map(({ name }) => name);

const VERIFY = `${API}/verify`;
const BATCH = `${API}/verify/batch`;

function call(path: string, init: RequestInit, expects: readonly string[], next?: Call["next"]): Call {
  return { path, init, expects, ...(next && { next }) };
}

function oneOf<T>(items: readonly T[]): T {
  return items[Math.floor(Math.random() * items.length)]!;
}

/** A caller address, from the range for network testing, for limits by address. */
function anyAddress(): Record<string, string> {
  const part = () => Math.floor(Math.random() * 256);
  return { "CF-Connecting-IP": `198.18.${part()}.${part()}` };
}

function verify({ id, keys }: Customer, mode: KeyMode, more: readonly string[] = []): Call {
  const init = post(keys[mode], { number: oneOf(mode === "live" ? NUMBERS : SANDBOX) });
  const expects = ["OK", ...(mode === "live" ? [] : FAILURES), ...more];
  return { ...call(VERIFY, init, expects), usage: { userId: id, mode } };
}

function verifyBatch({ id, keys }: Customer, mode: KeyMode): Call {
  const pool = mode === "live" ? NUMBERS : SANDBOX;
  const numbers = Array.from({ length: 1 + Math.floor(Math.random() * 20) }, () => oneOf(pool));
  return { ...call(BATCH, post(keys[mode], { numbers }), ["OK"]), usage: { userId: id, mode } };
}

/**
 * One call, sent twice concurrently and once more later, like a client that lost the response; then its key with
 * another body.
 */
function retry({ id, keys }: Customer): readonly Call[] {
  const mode = oneOf(["live", "test"] as const);
  const key = randomBase62(20);
  const request = (numbers: readonly string[]) => post(keys[mode], { numbers }, { "Idempotency-Key": key });
  const usage = { userId: id, mode, call: key };
  const once: Call = { ...call(BATCH, request([oneOf(NUMBERS), oneOf(NUMBERS)]), ["OK"]), usage };
  // Another isolate wouldn't notice the different body: then it counts as a new call.
  const mismatch = call(BATCH, request(["+4930901820"]), ["IDEMPOTENCY_MISMATCH", "OK"]);
  const other: Call = { ...mismatch, usage: { ...usage, call: `${key} other` } };
  return [once, { ...once, next: () => [{ ...once, next: () => [other] }] }];
}

const READS = [
  "/account/me",
  "/account/api-keys",
  "/account/subscription",
  "/account/reports/summary",
  "/account/reports/summary?mode=live",
  "/account/reports/usage?days=30",
  "/account/reports/usage?days=366&mode=test",
].map((path) => API + path);

/** Creates a key, revokes it, and uses it. */
function changeKeys({ token }: Customer): Call {
  const path = `${API}/account/api-keys`;
  const made = post(token, { mode: "test", name: "short-lived" });
  return call(path, made, ["OK", "KEY_LIMIT_REACHED", "RATE_LIMITED"], ({ status, body }) => {
    if (status !== 201) return [];
    const { id, api_key: key } = body as { id: string; api_key: string };
    const rejected = call(VERIFY, post(key, { number: oneOf(SANDBOX) }), ["API_KEY_REVOKED"]);
    return [call(`${path}/${id}`, send("DELETE", token), ["OK"], () => [rejected])];
  });
}

/** Invalid requests, each with its expected error code. */
const MALFORMED: readonly (readonly [code: string, (key: string) => readonly [path: string, init: RequestInit]])[] = [
  ["INVALID_JSON", (key) => ["/verify", post(key, "{")]],
  ["VALIDATION_FAILED", (key) => ["/verify", post(key, { number: 5 })]],
  ["VALIDATION_FAILED", (key) => ["/verify/batch", post(key, { numbers: [] })]],
  ["PAYLOAD_TOO_LARGE", (key) => ["/verify", post(key, { number: "5".repeat(9_000) })]],
  ["UNSUPPORTED_MEDIA_TYPE", (key) => ["/verify", post(key, "number=5", { "Content-Type": "text/plain" })]],
  ["METHOD_NOT_ALLOWED", (key) => ["/verify", send("PUT", key)]],
  ["NOT_FOUND", (key) => ["/no-such-thing", send("GET", key)]],
  ["BROWSER_ORIGIN_REFUSED", (key) => ["/verify", post(key, { number: "5" }, { Origin: "https://example.com" })]],
];

function malformed({ keys }: Customer): Call {
  const [code, make] = oneOf(MALFORMED);
  const [path, init] = make(keys.live);
  return call(API + path, init, [code]);
}

function signIn(email: string, password: string, expected: string): Call {
  return call(`${API}/auth/login`, post(null, { email, password }, anyAddress()), [expected]);
}

/** All traffic, by its kind. */
export const KINDS: Readonly<Record<string, Kind>> = {
  "verify live": { weight: 40, calls: ({ customers }) => [verify(oneOf(customers), "live")] },
  "verify test": { weight: 15, calls: ({ customers }) => [verify(oneOf(customers), "test")] },
  "batch live": { weight: 6, calls: ({ customers }) => [verifyBatch(oneOf(customers), "live")] },
  "batch test": { weight: 2, calls: ({ customers }) => [verifyBatch(oneOf(customers), "test")] },
  retry: { weight: 3, calls: ({ customers }) => retry(oneOf(customers)) },
  // At a high rate it also reaches its rate limit.
  "over quota": { weight: 1, calls: ({ frugal }) => [verify(frugal, "live", ["QUOTA_EXCEEDED", "RATE_LIMITED"])] },
  // With a test key, which has no quota that a long run could use up.
  "over limit": { weight: 4, calls: ({ greedy }) => [verify(greedy, "test", ["RATE_LIMITED"])] },
  "rejected key": {
    weight: 2,
    calls: ({ rejected }) =>
      [oneOf(rejected)].map(({ key, code }) => call(VERIFY, post(key, { number: oneOf(NUMBERS) }), [code])),
  },
  "unknown key": {
    weight: 3,
    calls: () => [
      call(VERIFY, post(generateKey("live"), { number: oneOf(NUMBERS) }, anyAddress()), ["INVALID_API_KEY"]),
    ],
  },
  "bad request": { weight: 4, calls: ({ customers }) => [malformed(oneOf(customers))] },
  dashboard: {
    weight: 14,
    calls: ({ customers }) => [call(oneOf(READS), send("GET", oneOf(customers).token), ["OK"])],
  },
  "no session": {
    weight: 1,
    calls: () => [call(oneOf(READS), send("GET", "no.session.token"), ["UNAUTHENTICATED"])],
  },
  "key change": { weight: 0.5, calls: ({ customers }) => [changeKeys(oneOf(customers))] },
  "log in": { weight: 0.5, calls: ({ customers }) => [signIn(oneOf(customers).email, PASSWORD, "OK")] },
  "wrong password": {
    weight: 0.2,
    calls: () => [signIn(`${randomBase62(10).toLowerCase()}@example.com`, "a wrong password", "INVALID_CREDENTIALS")],
  },
  demo: {
    weight: 1,
    calls() {
      const headers = { ...anyAddress(), "Sec-Fetch-Site": "same-origin" };
      return [call(`${API}/demo/lookup`, post(null, { number: oneOf(NUMBERS) }, headers), ["OK"])];
    },
  },
  service: { weight: 2, calls: () => [call(API + oneOf(["/health", "/openapi.json"]), {}, ["OK"])] },
};

const TOTAL_WEIGHT = Object.values(KINDS).reduce((sum, { weight }) => sum + weight, 0);

/** A random kind, weighted. @param chance in [0, 1) */
export function pickKind(chance: number): string {
  let rest = chance * TOTAL_WEIGHT;
  for (const [name, { weight }] of Object.entries(KINDS)) {
    rest -= weight;
    if (rest < 0) return name;
  }
  return Object.keys(KINDS)[0]!;
}

/** Calls of the kinds that `pick` returns, after follow-up calls. */
function supply(population: Population, pick: () => string): Traffic {
  const planned: Planned[] = [];
  const plan = (kind: string, calls: readonly Call[]) => planned.push(...calls.map((each) => ({ kind, call: each })));
  return {
    next() {
      if (planned.length === 0) {
        const kind = pick();
        plan(kind, KINDS[kind]!.calls(population));
      }
      return planned.shift()!;
    },
    follow: ({ kind, call: sent }, reply) => void plan(kind, sent.next?.(reply) ?? []),
  };
}

/** One of each kind, then random ones. */
export function mix(population: Population): Traffic {
  const first = Object.keys(KINDS);
  return supply(population, () => first.shift() ?? pickKind(Math.random()));
}

/** The kinds that exhaust a quota and a rate limit, alternating. */
export function exhaust(population: Population): Traffic {
  let turn = 0;
  return supply(population, () => (turn++ % 2 === 0 ? "over quota" : "over limit"));
}
