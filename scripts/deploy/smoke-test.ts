import { setTimeout as sleep } from "node:timers/promises";
import { API_BASE_PATH } from "../../contract/origin.ts";
import { SANDBOX_SUCCESS_STATUS, SANDBOX_SUCCESSES } from "../../contract/sandbox.ts";
import { NOBODYS_PASSWORD } from "../../worker/accounts/password.ts";
import { generateKey, hashKey, keyHint } from "../../worker/keys/key-format.ts";
import { newId } from "../../worker/platform/random.ts";

/** `.invalid` is reserved, so no one can own this address. */
const EMAIL = "smoke-test@checkline.invalid";

/** SQL that erases the temporary account with its key and usage, including one left by an interrupted run. */
export const ERASE = `DELETE FROM users WHERE email = '${EMAIL}'`;

/**
 * A test key, and the SQL that creates a temporary account for it. The SQL contains only the key's hash; no one can log
 * in. The key is stored as if KV had it, so that none of it ever gets there and `ERASE` leaves nothing behind.
 */
export function temporaryAccount(): { readonly key: string; readonly sql: string } {
  const key = generateKey("test");
  const [user, now] = [newId("usr"), Date.now()];
  const statements = [
    ERASE,
    `INSERT INTO users (id, email, name, password_hash, created_at)
     VALUES ('${user}', '${EMAIL}', 'Smoke test', '${NOBODYS_PASSWORD}', ${now})`,
    `INSERT INTO api_keys (id, user_id, mode, name, hash, hint, created_at, updated_at, synced_at)
     VALUES ('${newId("key")}', '${user}', 'test', 'Smoke test', '${hashKey(key)}', '${keyHint(key)}', ${now}, ${now}, ${now})`,
  ];
  return { key, sql: statements.join("; ").replaceAll(/\s+/g, " ") };
}

/**
 * A problem with the API over plain http, in one sentence, or null. It must reject requests: a redirect in front of the
 * worker would hide from clients that they send their key in clear text.
 * @param address of the service, with `http:`
 */
export async function plainHttpProblem(address: string): Promise<string | null> {
  const options = { redirect: "manual", signal: AbortSignal.timeout(10_000) } as const;
  // If nothing listens, nothing can be sent.
  const response = await fetch(`${address}${API_BASE_PATH}/health`, options).catch(() => null);
  if (response === null || response.status === 403) return null;
  return `API calls to ${address} get ${response.status} instead of 403. Exempt /api and /verify from redirects to https (docs/runbook.md, Settings).`;
}

export interface SmokeTest {
  /** The service's origin, such as "https://example.com". */
  readonly origin: string;
  /** The id of the version that must respond. */
  readonly version: string;
  /** A test key for the service. */
  readonly key: string;
  readonly tries: number;
  /** Milliseconds between tries. */
  readonly pauseMs: number;
  /** Ends the test early. */
  readonly signal?: AbortSignal;
}

async function callService({ origin, version, key, signal }: SmokeTest): Promise<void> {
  async function call(path: string, init: RequestInit = {}): Promise<Response> {
    const signals = [AbortSignal.timeout(10_000), ...(signal ? [signal] : [])];
    const response = await fetch(origin + path, { ...init, signal: AbortSignal.any(signals) });
    if (response.status !== 200) throw new Error(`${path} returns ${response.status}`);
    return response;
  }
  const health = (await (await call(`${API_BASE_PATH}/health`)).json()) as { version_id?: unknown };
  if (health.version_id !== version) throw new Error(`version ${version} does not respond yet`);

  const page = await (await call("/")).text();
  if (!page.includes("<html")) throw new Error("the landing page is not HTML");

  const [{ number }] = SANDBOX_SUCCESSES;
  const response = await call(`${API_BASE_PATH}/verify`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ number }),
  });
  const result = (await response.json()) as Readonly<Record<string, unknown>>;
  if (result["valid"] !== true || result["number"] !== number || result["status"] !== SANDBOX_SUCCESS_STATUS) {
    throw new Error("a verification in the sandbox has the wrong result");
  }
}

/**
 * Tests the deployed service: version, landing page, and a verification in the sandbox. Retries failures, because a new
 * address or version takes a while to reach every data center.
 * @throws Error with the problem
 */
export async function smokeTest(test: SmokeTest): Promise<void> {
  for (let left = test.tries; ; left--) {
    try {
      await callService(test);
      return;
    } catch (error) {
      test.signal?.throwIfAborted();
      if (left <= 1) throw new Error(`${test.origin}: ${(error as Error).message}`, { cause: error });
      await sleep(test.pauseMs, undefined, { ...(test.signal && { signal: test.signal }) });
    }
  }
}
