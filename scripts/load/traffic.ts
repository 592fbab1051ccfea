import { REQUESTS_PER_MINUTE } from "../../contract/limits.ts";
import type { KeyMode } from "../../contract/limits.ts";
import { SANDBOX_FAILURES, SANDBOX_SUCCESSES } from "../../contract/sandbox.ts";
import { PASSWORD } from "../../test/factories.ts";
import { post, send } from "../../test/requests.ts";
import { generateKey } from "../../worker/keys/key-format.ts";
import { randomBase62 } from "../../worker/platform/random.ts";
import type { Answer } from "./answers.ts";
import type { Ledger } from "./ledger.ts";
import type { Customer, Population } from "./population.ts";

/** What a scene of traffic may use. */
export interface Stage {
  readonly population: Population;
  readonly ledger: Ledger;
  /** Sends a request of the scene's kind; what it may be answered is the kind's `expects` unless told otherwise. */
  call(path: string, init?: RequestInit, expects?: readonly string[]): Promise<Answer>;
}

/** A kind of traffic. */
export interface Kind {
  /** How often it comes, among the others. */
  readonly weight: number;
  /** The error codes that it may be answered, and "OK". */
  readonly expects: readonly string[];
  play(stage: Stage): Promise<unknown>;
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

function oneOf<T>(items: readonly T[]): T {
  return items[Math.floor(Math.random() * items.length)]!;
}

/** An address of its own for what is limited by address, from the range for documentation and tests of networks. */
function anyAddress(): Record<string, string> {
  const part = () => Math.floor(Math.random() * 256);
  return { "CF-Connecting-IP": `198.18.${part()}.${part()}` };
}

async function verify(stage: Stage, customer: Customer, mode: KeyMode): Promise<Answer> {
  const number = oneOf(mode === "live" ? NUMBERS : SANDBOX);
  const answer = await stage.call(`${API}/verify`, post(customer.keys[mode], { number }));
  stage.ledger.note(answer, { userId: customer.id, mode });
  return answer;
}

/**
 * Verifies until the answer has one of these codes, and at most twice the limit by the minute: the first scene gets there, and those
 * after it are one call as long as it holds.
 */
async function verifyUntil(codes: readonly string[], once: () => Promise<Answer>): Promise<void> {
  for (let asked = 0; asked < 2 * REQUESTS_PER_MINUTE.test; asked++) {
    const { code } = await once();
    if (code !== null && codes.includes(code)) return;
  }
}

async function verifyBatch(stage: Stage, mode: KeyMode) {
  const customer = oneOf(stage.population.customers);
  const pool = mode === "live" ? NUMBERS : SANDBOX;
  const numbers = Array.from({ length: 1 + Math.floor(Math.random() * 20) }, () => oneOf(pool));
  const answer = await stage.call(`${API}/verify/batch`, post(customer.keys[mode], { numbers }));
  stage.ledger.note(answer, { userId: customer.id, mode });
}

/** One call, sent two or three times at once and once more later, as a client does that has lost the answer. */
async function retry(stage: Stage) {
  const { customers } = stage.population;
  const [customer, mode] = [oneOf(customers), oneOf(["live", "test"] as const)];
  const idempotencyKey = randomBase62(20);
  const numbers = [oneOf(NUMBERS), oneOf(NUMBERS)];
  const once = async () => {
    const init = post(customer.keys[mode], { numbers }, { "Idempotency-Key": idempotencyKey });
    const answer = await stage.call(`${API}/verify/batch`, init);
    stage.ledger.note(answer, { userId: customer.id, mode, call: idempotencyKey });
  };
  await Promise.all([once(), once()]);
  await once();
  const another = post(customer.keys[mode], { numbers: ["+4930901820"] }, { "Idempotency-Key": idempotencyKey });
  const answer = await stage.call(`${API}/verify/batch`, another, ["IDEMPOTENCY_MISMATCH", "OK"]);
  // Another isolate would have answered it: then it is a call of its own.
  stage.ledger.note(answer, { userId: customer.id, mode, call: `${idempotencyKey} another` });
}

const READS = [
  "/account/me",
  "/account/api-keys",
  "/account/subscription",
  "/account/reports/summary",
  "/account/reports/summary?mode=live",
  "/account/reports/usage?days=30",
  "/account/reports/usage?days=366&mode=test",
];

async function changeKeys(stage: Stage) {
  const { token } = oneOf(stage.population.customers);
  const path = `${API}/account/api-keys`;
  const refusals = ["KEY_LIMIT_REACHED", "RATE_LIMITED"];
  const made = await stage.call(path, post(token, { mode: "test", name: "short-lived" }), ["OK", ...refusals]);
  if (made.status !== 201) return;
  const { id, api_key: key } = made.body as { id: string; api_key: string };
  await stage.call(`${path}/${id}`, send("DELETE", token));
  await stage.call(`${API}/verify`, post(key, { number: oneOf(SANDBOX) }), ["API_KEY_REVOKED"]);
}

/** Requests that are wrong in themselves, each with the code that says how. */
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

/** All traffic, by its kind. */
export const KINDS: Readonly<Record<string, Kind>> = {
  "verify live": {
    weight: 40,
    expects: ["OK"],
    play: (stage) => verify(stage, oneOf(stage.population.customers), "live"),
  },
  "verify test": {
    weight: 15,
    expects: ["OK", ...FAILURES],
    play: (stage) => verify(stage, oneOf(stage.population.customers), "test"),
  },
  "batch live": { weight: 6, expects: ["OK"], play: (stage) => verifyBatch(stage, "live") },
  "batch test": { weight: 2, expects: ["OK"], play: (stage) => verifyBatch(stage, "test") },
  retry: { weight: 3, expects: ["OK"], play: retry },
  "over quota": {
    weight: 1,
    // At a high rate it comes so often that its limit by the minute is reached too.
    expects: ["OK", "QUOTA_EXCEEDED", "RATE_LIMITED"],
    play: (stage) =>
      verifyUntil(["QUOTA_EXCEEDED", "RATE_LIMITED"], () => verify(stage, stage.population.frugal, "live")),
  },
  "over limit": {
    weight: 4,
    expects: ["OK", ...FAILURES, "RATE_LIMITED"],
    // With a test key, which has no quota that a long run could use up.
    play: (stage) => verifyUntil(["RATE_LIMITED"], () => verify(stage, stage.population.greedy, "test")),
  },
  "refused key": {
    weight: 2,
    expects: [],
    play({ population, call }) {
      const { key, code } = oneOf(population.refused);
      return call(`${API}/verify`, post(key, { number: oneOf(NUMBERS) }), [code]);
    },
  },
  "unknown key": {
    weight: 3,
    expects: ["INVALID_API_KEY"],
    play: ({ call }) => call(`${API}/verify`, post(generateKey("live"), { number: oneOf(NUMBERS) }, anyAddress())),
  },
  "bad request": {
    weight: 4,
    expects: [],
    play({ population, call }) {
      const [code, make] = oneOf(MALFORMED);
      const [path, init] = make(oneOf(population.customers).keys.live);
      return call(`${API}${path}`, init, [code]);
    },
  },
  dashboard: {
    weight: 14,
    expects: ["OK"],
    play: ({ population, call }) => call(`${API}${oneOf(READS)}`, send("GET", oneOf(population.customers).token)),
  },
  "no session": {
    weight: 1,
    expects: ["UNAUTHENTICATED"],
    play: ({ call }) => call(`${API}${oneOf(READS)}`, send("GET", "no.session.token")),
  },
  "key change": { weight: 0.5, expects: ["OK"], play: changeKeys },
  "sign in": {
    weight: 0.5,
    expects: ["OK"],
    play({ population, call }) {
      const { email } = oneOf(population.customers);
      return call(`${API}/auth/login`, post(null, { email, password: PASSWORD }, anyAddress()));
    },
  },
  "wrong password": {
    weight: 0.2,
    expects: ["INVALID_CREDENTIALS"],
    play({ call }) {
      const email = `${randomBase62(10).toLowerCase()}@example.com`;
      return call(`${API}/auth/login`, post(null, { email, password: "a wrong password" }, anyAddress()));
    },
  },
  demo: {
    weight: 1,
    expects: ["OK"],
    play: ({ call }) =>
      call(
        `${API}/demo/lookup`,
        post(null, { number: oneOf(NUMBERS) }, { ...anyAddress(), "Sec-Fetch-Site": "same-origin" }),
      ),
  },
  service: { weight: 2, expects: ["OK"], play: ({ call }) => call(`${API}${oneOf(["/health", "/openapi.json"])}`) },
};

const TOTAL_WEIGHT = Object.values(KINDS).reduce((sum, { weight }) => sum + weight, 0);

/** The name of a kind, each as often as its weight says. @param chance from 0 up to 1 */
export function pickKind(chance: number): string {
  let rest = chance * TOTAL_WEIGHT;
  for (const [name, { weight }] of Object.entries(KINDS)) {
    rest -= weight;
    if (rest < 0) return name;
  }
  return Object.keys(KINDS)[0]!;
}
