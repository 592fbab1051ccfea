import * as v from "valibot";
import { Health } from "../../contract/endpoints/service.ts";
import { API_BASE_PATH } from "../../contract/origin.ts";
import { SANDBOX_SUCCESS_STATUS, SANDBOX_SUCCESSES } from "../../contract/sandbox.ts";

const PAUSE_MS = 5_000;
/** How long an answer is waited for. */
export const TIMEOUT_MS = 10_000;
const [SAMPLE] = SANDBOX_SUCCESSES;

export interface SmokeSubject {
  /** Where the service is, such as "https://example.com". */
  readonly origin: string;
  /** A test key of it. */
  readonly key: string;
  /** Which version has to answer, by the worker's name and the version's id; the platform heeds it while both versions are deployed. */
  readonly version: { readonly worker: string; readonly id: string };
  /** Whether the version may be older than the `version_id` of health: then an answer without one is its own. */
  readonly mayBeUnnamed?: boolean;
}

export interface SmokeIo {
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Milliseconds. */
  sleep(ms: number): Promise<void>;
}

/** The deployed service does not do what it must. The message says what. */
export class SmokeFailure extends Error {
  override readonly name = "SmokeFailure";
}

/** A text that is JSON of a form. */
export function jsonOf<T>(schema: v.GenericSchema<T>) {
  return v.pipe(v.string(), v.parseJson(), schema as v.GenericSchema<unknown, T>);
}

const Verified = v.object({
  valid: v.literal(true),
  number: v.literal(SAMPLE.number),
  country_code: v.literal(SAMPLE.country),
  status: v.literal(SANDBOX_SUCCESS_STATUS),
});
const Refused = v.object({ error: v.string(), code: v.literal("UNAUTHENTICATED") });

interface Call {
  readonly name: string;
  readonly path: string;
  readonly init?: RequestInit;
  readonly status: number;
  /** What the answer's text must be. */
  readonly body: v.GenericSchema<string, unknown>;
}

/** What verifies the sandbox's sample. */
export function verifyWith(headers: Record<string, string>): RequestInit {
  return {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify({ number: SAMPLE.number }),
  };
}

function callsOf({ key, version: { id }, mayBeUnnamed = false }: SmokeSubject): readonly Call[] {
  const verify = `${API_BASE_PATH}/verify`;
  // Nothing else of it: the version that is gone back to may have another answer here than this one.
  const health = v.pipe(
    v.object({ version_id: mayBeUnnamed ? v.optional(Health.entries.version_id, id) : Health.entries.version_id }),
    v.check((found) => found.version_id === id, `it is not version ${id} that answers`),
  );
  return [
    { name: "health", path: `${API_BASE_PATH}/health`, status: 200, body: jsonOf(health) },
    { name: "the landing page", path: "/", status: 200, body: v.pipe(v.string(), v.includes("<html")) },
    { name: "a verification without a key", path: verify, init: verifyWith({}), status: 401, body: jsonOf(Refused) },
    {
      name: "a verification in the sandbox",
      path: verify,
      init: verifyWith({ Authorization: `Bearer ${key}` }),
      status: 200,
      body: jsonOf(Verified),
    },
  ];
}

/** @throws SmokeFailure. Answers are not repeated in it: they may be anybody's page. */
async function makeCall({ origin, version: { worker, id } }: SmokeSubject, call: Call, io: SmokeIo): Promise<void> {
  const headers = new Headers(call.init?.headers);
  headers.set("Cloudflare-Workers-Version-Overrides", `${worker}="${id}"`);
  let response: Response;
  let text: string;
  try {
    response = await io.fetch(origin + call.path, { ...call.init, headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    text = await response.text();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SmokeFailure(`${origin} does not answer to ${call.name}: ${reason}`, { cause: error });
  }
  if (response.status !== call.status) {
    throw new SmokeFailure(`${origin} answers ${response.status} instead of ${call.status} to ${call.name}.`);
  }
  const parsed = v.safeParse(call.body, text);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    const where = v.getDotPath(issue);
    const what = where === null ? issue.message : `${where}: ${issue.message}`;
    throw new SmokeFailure(`${origin} does not answer as it must to ${call.name}: ${what}`);
  }
}

/**
 * Calls the deployed service as a visitor and as a caller would, again every 5 s until everything is right: a new address or version
 * takes its time to be everywhere.
 * @param tries how often at most
 * @throws SmokeFailure, the last one
 */
export async function smokeTest(subject: SmokeSubject, io: SmokeIo, tries: number): Promise<void> {
  for (let left = tries; ; left--) {
    try {
      for (const call of callsOf(subject)) await makeCall(subject, call, io);
      return;
    } catch (error) {
      if (left <= 1) throw error;
      await io.sleep(PAUSE_MS);
    }
  }
}
