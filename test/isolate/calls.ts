import { post } from "../requests.ts";
import type { Isolate } from "./isolate.ts";

/** A valid number, counted as a success. */
export const VALID = "+5511987654321";
/** An invalid one, counted as a failure. */
export const INVALID = "+5511";

/** A response as seen by the caller. */
export interface Seen {
  readonly status: number;
  /** An error's code; null for a result. */
  readonly code: string | null;
  /** From `Server-Timing`; "memory" without it. */
  readonly source: string;
  readonly retryAfter: string | null;
  /** How long the response took, in milliseconds. */
  readonly waited: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

type Headed = Readonly<Record<string, string>>;

async function see(isolate: Isolate, path: string, init: RequestInit): Promise<Seen> {
  const started = Date.now();
  const response = await isolate.fetch(path, init);
  const waited = Date.now() - started;
  const body = (await response.json()) as Record<string, unknown>;
  const { status, headers } = response;
  const source = /key;desc="(\w+)"/.exec(headers.get("Server-Timing") ?? "")?.[1] ?? "memory";
  const code = (body["code"] as string | undefined) ?? null;
  return { status, code, source, retryAfter: headers.get("Retry-After"), waited, headers, body };
}

/** Verifies a number, valid by default. */
export function verify(isolate: Isolate, key: string, number = VALID, headers: Headed = {}): Promise<Seen> {
  return see(isolate, "/api/v1/verify", post(key, { number }, headers));
}

/** Has an isolate learn what is left of a key's limits: a batch always asks the ledger, and this one uses nothing. */
export function askLedger(isolate: Isolate, key: string): Promise<Seen> {
  return verifyBatch(isolate, key, [INVALID, INVALID]);
}

/** Verifies numbers in a batch. */
export function verifyBatch(
  isolate: Isolate,
  key: string,
  numbers: readonly string[],
  headers: Headed = {},
): Promise<Seen> {
  return see(isolate, "/api/v1/verify/batch", post(key, { numbers }, headers));
}
