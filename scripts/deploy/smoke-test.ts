import { API_BASE_PATH } from "../../contract/origin.ts";
import { SANDBOX_SUCCESSES } from "../../contract/sandbox.ts";
import { generateKey } from "../../worker/keys/key-format.ts";

export interface SmokeTest {
  /** The service's origin, such as "https://example.com". */
  readonly origin: string;
  /** The id of the version that must respond. */
  readonly version: string;
  /** How long to repeat a failure, in minutes. */
  readonly minutes: number;
}

export interface SmokeTestIo {
  readonly fetch: typeof fetch;
  sleep(ms: number): Promise<unknown>;
  print(text: string): void;
}

/** Keeps the lookups of the demo below its limit per minute. */
const PAUSE_MS = 15_000;

/** How long DNS and the certificate of a new address may take, in minutes. */
export const ADDRESS_MINUTES = 15;

/** Nothing responds at the address. At Cloudflare a broken worker also responds, so this is about DNS or TLS. */
class NoResponseError extends Error {}

async function callService({ origin, version }: SmokeTest, fetch: SmokeTestIo["fetch"]): Promise<readonly string[]> {
  async function call(path: string, expected: number, init: RequestInit = {}): Promise<Response> {
    const headers = { "User-Agent": "checkline-smoke-test", ...init.headers };
    const options = { ...init, headers, redirect: "manual", signal: AbortSignal.timeout(10_000) } as const;
    const response = await fetch(origin + path, options).catch((error: Error & { cause?: { code?: string } }) => {
      if (error.name === "TimeoutError") throw new Error(`${path} doesn't respond within 10 s`);
      throw new NoResponseError(`no response (${error.cause?.code ?? error.message})`, { cause: error });
    });
    if (response.status !== expected) throw new Error(`${path} returns ${response.status} instead of ${expected}`);
    return response;
  }
  const post = (body: unknown, headers: Record<string, string>) => ({
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

  const health = (await (await call(`${API_BASE_PATH}/health`, 200)).json()) as {
    version_id?: unknown;
    problems?: string[];
  };
  if (health.version_id !== version) throw new Error(`version ${version} doesn't respond yet`);

  const page = await (await call("/", 200)).text();
  if (!page.includes("<html")) throw new Error("the landing page isn't HTML");

  const [{ number }] = SANDBOX_SUCCESSES;
  await call(`${API_BASE_PATH}/verify`, 401, post({ number }, { Authorization: `Bearer ${generateKey("live")}` }));
  const lookup = await call(`${API_BASE_PATH}/demo/lookup`, 200, post({ number }, { Origin: origin }));
  const result = (await lookup.json()) as Readonly<Record<string, unknown>>;
  if (result["valid"] !== true || result["number"] !== number) throw new Error("the demo's result is wrong");
  return health.problems ?? [];
}

/**
 * Tests the deployed service: version, landing page, a lookup in the demo, and that an unknown key is rejected.
 * Repeats a failure for `minutes`, because a new version takes a while to reach every data center, and for at least
 * `ADDRESS_MINUTES` while nothing responds at all.
 * @returns what health says is missing from the settings
 * @throws Error with the last problem
 */
export async function smokeTest(test: SmokeTest, { fetch, sleep, print }: SmokeTestIo): Promise<readonly string[]> {
  let printed = "";
  for (let waited = 0; ; waited += PAUSE_MS) {
    const problem = await callService(test, fetch).catch((error: Error) => error);
    if (!(problem instanceof Error)) return problem;
    const isMissing = problem instanceof NoResponseError;
    const minutes = isMissing ? Math.max(test.minutes, ADDRESS_MINUTES) : test.minutes;
    if (waited >= minutes * 60_000) throw new Error(`${test.origin}: ${problem.message}`, { cause: problem });
    const reason = isMissing
      ? `${problem.message}: DNS and the certificate of a new address take a while`
      : problem.message;
    if (reason !== printed)
      print(`    ${test.origin}: ${reason}. Waiting for up to ${minutes === 1 ? "a minute" : `${minutes} minutes`}.\n`);
    printed = reason;
    await sleep(PAUSE_MS);
  }
}
