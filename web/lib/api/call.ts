import type { Endpoint, OutputOf, RequestOf } from "../../../contract/endpoints/endpoint.ts";
import { passwordGiven } from "../session/password-prompt.ts";
import { accountOf, continues, dropToken, readToken, renewalsEnded } from "../session/token.ts";
import { ApiFailure } from "./failure.ts";
import { failureOf, send } from "./send.ts";
import type { Reply, SendOptions } from "./send.ts";

interface CallOptions extends SendOptions {
  /** Whether the response has a new token: such a call does not wait for one, which may be its own. */
  readonly renews?: boolean;
}

/** The input may be left out where an operation takes none. */
type Arguments<E extends Endpoint> =
  unknown extends RequestOf<E>
    ? [input?: undefined, options?: CallOptions]
    : [input: RequestOf<E>, options?: CallOptions];

/**
 * Calls an operation for this page's visitor, with the session if the operation uses one. A 401 then ends the session.
 * If the password is required again, asks the visitor for it and repeats the call.
 * @returns the body of the response
 * @throws ApiFailure for any response but a success, Unreachable without one, the signal's reason when it was aborted
 */
export async function call<E extends Endpoint>(endpoint: E, ...[input, options]: Arguments<E>): Promise<OutputOf<E>> {
  const reply = await request(endpoint, input as RequestOf<E>, options);
  if (reply.status === 204) return undefined as OutputOf<E>;
  if (reply.body === null) throw new ApiFailure("We couldn’t read the response.", failureOf(reply));
  // The same deployment serves this page and the API.
  return reply.body as OutputOf<E>;
}

/** The same for an operation with a non-JSON response. */
export async function request<E extends Endpoint>(
  endpoint: E,
  input: RequestOf<E>,
  options: CallOptions = {},
): Promise<Reply> {
  const token = endpoint.credential === "session" || endpoint.credential === "any" ? readToken() : null;
  const reply = token === null ? await send(endpoint, input, options) : await sendWithSession(endpoint, input, options);
  if (reply.ok) return reply;
  const failure = failureOf(reply);
  if (failure.code === "PASSWORD_REQUIRED" && token !== null && (await passwordGiven())) {
    // By now, another account may be logged in, which was not asked.
    if (continues(token)) return request(endpoint, input, options);
  }
  throw failure;
}

/**
 * Sends with this page's session, which a 401 ends. If the session has a newer token, resends: the rejected call has
 * done nothing.
 * @throws as `send`
 */
export async function sendWithSession<E extends Endpoint>(
  endpoint: E,
  input: RequestOf<E>,
  { renews = false, ...options }: CallOptions = {},
): Promise<Reply> {
  const token = readToken();
  const reply = await send(endpoint, input, { ...options, bearer: token });
  if (reply.status !== 401 || token === null) return reply;
  const next = await renewedSince(token, renews);
  return next === null ? reply : sendWithSession(endpoint, input, { ...options, renews });
}

/**
 * The token that has replaced a rejected one, for example after a password change here or in another tab. Null if there
 * is none: the session is over.
 */
export async function renewedSince(rejected: string, renews = false): Promise<string | null> {
  if (!renews) await renewalsEnded();
  const current = readToken();
  if (current !== null && current !== rejected && accountOf(current) === accountOf(rejected)) return current;
  dropToken(rejected);
  return null;
}
