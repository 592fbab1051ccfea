import type { Endpoint, RequestOf } from "../../../contract/endpoints/endpoint.ts";
import { ApiFailure, Unreachable } from "./failure.ts";

/** A fully read response. */
export interface Reply {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The text as JSON; null if it is not JSON. */
  readonly body: unknown;
  /** Milliseconds until all of it had arrived. */
  readonly took: number;
}

export interface SendOptions {
  /** An API key or a session token. */
  readonly bearer?: string | null;
  readonly idempotencyKey?: string;
  /** Another format than JSON. */
  readonly accept?: "text/csv";
  readonly signal?: AbortSignal;
  /** Whether to send it even when the page is closed. */
  readonly keepalive?: boolean;
  /** Milliseconds to wait for the whole response. */
  readonly timeout?: number;
}

/**
 * Calls an operation of the API on this site's own origin.
 * @param input path parameters, and query or body, in one object
 * @throws Unreachable without a response, the signal's reason when it was aborted
 */
export async function send<E extends Endpoint>(
  endpoint: E,
  input: RequestOf<E>,
  { bearer, idempotencyKey, accept, signal, keepalive = false, timeout = 20_000 }: SendOptions = {},
): Promise<Reply> {
  const { url, body } = addressed(endpoint, input);
  const expiry = AbortSignal.timeout(timeout);
  const started = performance.now();
  try {
    const response = await fetch(url, {
      method: endpoint.method.toUpperCase(),
      headers: {
        Accept: accept ?? "application/json",
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...(bearer && { Authorization: `Bearer ${bearer}` }),
        ...(idempotencyKey && { "Idempotency-Key": idempotencyKey }),
      },
      ...(body !== undefined && { body }),
      keepalive,
      signal: signal ? AbortSignal.any([signal, expiry]) : expiry,
    });
    const text = await response.text();
    const { ok, status, headers } = response;
    return { ok, status, headers, text, body: parsed(text), took: performance.now() - started };
  } catch (cause) {
    signal?.throwIfAborted();
    throw new Unreachable(cause);
  }
}

/** Distributes the input: path parameters into the path, the rest into the body or, without one, the query. */
function addressed({ path, request }: Endpoint, input: unknown): { url: string; body?: string } {
  const rest = { ...(input as Record<string, string | undefined>) };
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name] ?? "";
    delete rest[name];
    return encodeURIComponent(value);
  });
  if (request !== undefined) return { url, body: JSON.stringify(rest) };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) if (value !== undefined) query.set(name, value);
  return { url: query.size > 0 ? `${url}?${query}` : url };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The error in a response, which may not be the API's own: a proxy may have sent it. */
export function failureOf({ status, headers, body }: Reply): ApiFailure {
  const { error, code, fields, second_factor } = (body ?? {}) as Record<string, unknown>;
  return new ApiFailure(typeof error === "string" ? error : "", {
    status,
    code: typeof code === "string" ? code : "",
    fields: fields !== null && typeof fields === "object" ? (fields as Record<string, string>) : {},
    secondFactor: (second_factor ?? undefined) as ApiFailure["secondFactor"],
    requestId: headers.get("X-Request-Id"),
  });
}

/** Why a call was rejected, in one sentence: the first invalid field's error, or the error's own. */
export function rejectionOf(reply: Reply): string {
  const { message, fields } = failureOf(reply);
  return Object.values(fields)[0] ?? (message || "We couldn’t read the response.");
}
