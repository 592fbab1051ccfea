import { ENDPOINTS } from "../contract/endpoints/index.ts";
import type { RunningWorker } from "./worker.ts";

/** A JSON POST with a credential, or none for null. A string body is sent unchanged. */
export function post(credential: string | null, body: unknown, headers: Record<string, string> = {}): RequestInit {
  return send("POST", credential, body, headers);
}

/** A request with a JSON body, or none for undefined. */
export function send(
  method: string,
  credential: string | null,
  body?: unknown,
  headers: Record<string, string> = {},
): RequestInit {
  return {
    method,
    headers: {
      ...(credential !== null && { Authorization: `Bearer ${credential}` }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  };
}

/** A response's status and error code, such as "403 ACCOUNT_SUSPENDED", or "200". */
export async function answerTo(worker: Pick<RunningWorker, "fetch">, path: string, init: RequestInit): Promise<string> {
  const response = await worker.fetch(path, init);
  const { code } = (await response.json()) as { code?: string };
  return code === undefined ? String(response.status) : `${response.status} ${code}`;
}

/** Calls from many networks, unless they name one, to stay below the limits by address. */
export function fromManyAddresses(worker: Pick<RunningWorker, "fetch">): RunningWorker["fetch"] {
  let calls = 0;
  return (path, init = {}) => {
    calls += 1;
    const headers = new Headers(init.headers);
    if (!headers.has("CF-Connecting-IP")) headers.set("CF-Connecting-IP", `198.18.${calls % 200}.1`);
    return worker.fetch(path, { ...init, headers });
  };
}

/** An operation's declared path. */
export function pathOf(id: string): string {
  const endpoint = ENDPOINTS.find((declared) => declared.id === id);
  if (endpoint === undefined) throw new Error(`No operation is called ${id}`);
  return endpoint.path;
}
