import * as v from "valibot";
import { API_BASE_PATH } from "../../../contract/origin.ts";
import { accountOf, dropToken, readToken, renewalsEnded } from "../session/token.ts";
import { ApiFailure, Unreachable } from "./failure.ts";
import { retryAfterOf } from "./rate-limit.ts";

const TIMEOUT_MS = 20_000;

export interface Call<S extends v.GenericSchema> {
  readonly method: "GET" | "POST" | "DELETE";
  /** Below the API's base path: `/account/me`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  /** The form of a successful answer. */
  readonly answer: S;
  /** Asks for another form than JSON; the answer is then a string. */
  readonly accept?: "text/csv";
  /** Whether the call speaks for a signed-in account: a 401 then ends the session. */
  readonly session?: boolean;
  readonly signal?: AbortSignal;
  /** Milliseconds to wait for the answer, where the usual ones are too many. */
  readonly timeout?: number;
}

const ErrorBody = v.object({
  error: v.optional(v.string(), ""),
  code: v.optional(v.string(), ""),
  fields: v.optional(v.record(v.string(), v.string()), {}),
});

/**
 * Makes one call of the account API.
 * @throws ApiFailure for an answer that is no success, Unreachable when none came, the signal's reason when it was ended
 */
export async function request<S extends v.GenericSchema>(call: Call<S>): Promise<v.InferOutput<S>> {
  const token = readToken();
  const response = await send(call, token);
  const body = await bodyOf(response, call.accept);
  if (!response.ok) {
    if (response.status === 401 && call.session && token !== null) {
      if (call.method === "GET" && (await wasRenewed(token))) return request(call);
      dropToken(token);
    }
    throw failureOf(response, body);
  }
  const answer = v.safeParse(call.answer, body);
  if (!answer.success) throw new ApiFailure("The answer could not be read.", detailsOf(response, "", {}));
  return answer.output;
}

/** What the answer holds; null where that cannot be read. Refusals are JSON whatever was asked for. */
async function bodyOf(response: Response, accept: "text/csv" | undefined): Promise<unknown> {
  if (response.status === 204) return undefined;
  const isText = response.ok && accept !== undefined;
  return (isText ? response.text() : response.json()).catch(() => null);
}

/** Whether the same account goes on under a newer token, as after a change of password. */
async function wasRenewed(token: string): Promise<boolean> {
  await renewalsEnded();
  const current = readToken();
  return current !== null && current !== token && accountOf(current) === accountOf(token);
}

async function send(call: Call<v.GenericSchema>, token: string | null): Promise<Response> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(call.query ?? {})) if (value !== undefined) query.set(name, value);
  const search = query.size > 0 ? `?${query}` : "";
  const timeout = AbortSignal.timeout(call.timeout ?? TIMEOUT_MS);
  try {
    return await fetch(`${API_BASE_PATH}${call.path}${search}`, {
      method: call.method,
      headers: {
        Accept: call.accept ?? "application/json",
        ...(call.body !== undefined && { "Content-Type": "application/json" }),
        ...(token !== null && { Authorization: `Bearer ${token}` }),
      },
      ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
      signal: call.signal ? AbortSignal.any([call.signal, timeout]) : timeout,
    });
  } catch (cause) {
    call.signal?.throwIfAborted();
    throw new Unreachable(cause);
  }
}

function failureOf(response: Response, body: unknown): ApiFailure {
  const read = v.safeParse(ErrorBody, body);
  const { error, code, fields } = read.success ? read.output : { error: "", code: "", fields: {} };
  return new ApiFailure(error, detailsOf(response, code, fields));
}

function detailsOf(response: Response, code: string, fields: Record<string, string>) {
  return {
    status: response.status,
    code,
    fields,
    retryAfter: retryAfterOf(response.headers),
    requestId: response.headers.get("X-Request-Id"),
  };
}
