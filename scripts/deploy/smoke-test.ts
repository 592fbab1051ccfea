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

async function callService({ origin, version }: SmokeTest, fetch: SmokeTestIo["fetch"]): Promise<readonly string[]> {
  async function call(path: string, expected: number, init: RequestInit = {}): Promise<Response> {
    const headers = { "User-Agent": "checkline-smoke-test", ...init.headers };
    const options = { ...init, headers, redirect: "manual", signal: AbortSignal.timeout(10_000) } as const;
    const response = await fetch(origin + path, options).catch((error: Error & { cause?: { code?: string } }) => {
      throw new Error(`${path}: no response (${error.cause?.code ?? error.message})`, { cause: error });
    });
    if (response.status !== expected) throw new Error(`${path} returns ${response.status} instead of ${expected}`);
    return response;
  }
  const [{ number }] = SANDBOX_SUCCESSES;
  const post = (headers: Record<string, string>) => ({
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify({ number }),
  });

  const health = (await (await call(`${API_BASE_PATH}/health`, 200)).json()) as {
    version_id?: unknown;
    problems?: string[];
  };
  if (health.version_id !== version) throw new Error(`version ${version} doesn't respond yet`);
  const page = await (await call("/", 200)).text();
  if (!page.includes("<html")) throw new Error("the landing page isn't HTML");
  await call(`${API_BASE_PATH}/verify`, 401, post({ Authorization: `Bearer ${generateKey("live")}` }));
  const lookup = await call(`${API_BASE_PATH}/demo/lookup`, 200, post({ Origin: origin }));
  const result = (await lookup.json()) as Readonly<Record<string, unknown>>;
  if (result["valid"] !== true || result["number"] !== number) throw new Error("the demo's result is wrong");
  return health.problems ?? [];
}

/**
 * Tests the deployed service: version, landing page, a lookup in the demo, and that an unknown key is rejected. Repeats
 * a failure for `minutes`: a new version, DNS, and a new certificate take a while.
 * @returns what health says is missing from the settings
 * @throws Error with the last problem
 */
export async function smokeTest(test: SmokeTest, { fetch, sleep, print }: SmokeTestIo): Promise<readonly string[]> {
  for (let waited = 0; ; waited += PAUSE_MS) {
    const problem = await callService(test, fetch).catch((error: Error) => error);
    if (!(problem instanceof Error)) return problem;
    if (waited >= test.minutes * 60_000) throw new Error(`${test.origin}: ${problem.message}`, { cause: problem });
    print(`  ${problem.message}\n`);
    await sleep(PAUSE_MS);
  }
}
