import type { InputOf, OutputOf, Endpoint } from "../../contract/endpoints/endpoint.ts";
import { MAX_BODY_BYTES } from "../../contract/limits.ts";
import { requireRecentPassword } from "../accounts/confirm-password.ts";
import type { Session } from "../accounts/sessions.ts";
import type { Io, Isolate } from "../io.ts";
import type { KeyRecord } from "../key-cache/record.ts";
import { dashboardKey } from "../verification/dashboard-key.ts";
import type { Mount, RequestContext } from "./context.ts";
import { bringsApiKey, renewApiKey, requireApiKey, requireApiKeyStill, requireSession } from "./credentials.ts";
import type { KeyUse } from "./credentials.ts";
import { methodNotAllowed } from "./errors.ts";
import { checkDeclaredSize, checkMediaType, readBody, readQuery } from "./input.ts";
import { checkAddress, countAddress, countNumbers, limitAccount } from "./limits.ts";
import { allowAnyOrigin, answerPreflight, requireOwnPage } from "./origins.ts";
import { respond } from "./response.ts";

interface Credentials {
  readonly key: { readonly key: KeyRecord };
  readonly session: { readonly session: Session };
  readonly any: { readonly caller: { readonly userId: string; readonly key: KeyRecord | null } };
  readonly none: unknown;
}

/** Calls counted by account have a key; the dashboard's calls get one for their session. */
type Metered<E extends Endpoint> = E["rate"] extends "account" ? { readonly key: KeyRecord } : unknown;

/** A stream reads its body incrementally and revalidates its key as it does. */
type Given<E extends Endpoint> = E extends { readonly format: "ndjson" }
  ? { readonly renewKey: () => Promise<KeyRecord> }
  : { readonly input: InputOf<E> };

/** The input of a handler. `c` is for response details. */
export type Call<E extends Endpoint> = Credentials[E["credential"]] &
  Metered<E> &
  Given<E> & {
    readonly io: Io;
    readonly isolate: Isolate;
    readonly c: RequestContext;
  };

type Reply<E extends Endpoint> = OutputOf<E> | Response;

/** Serves an operation: returns the body of a success, sent with the declared status, or a whole response. */
export type Handler<E extends Endpoint> = (call: Call<E>) => Reply<E> | Promise<Reply<E>>;

/** `{id}` in Hono's syntax. */
function routePattern(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}

function reply(c: RequestContext, { success }: Endpoint, result: unknown): Response {
  if (result instanceof Response) return result;
  return respond(c, success.status, result as object | undefined);
}

/** How many numbers a call contains. */
function numbersOf(input: object): number {
  return "numbers" in input ? (input.numbers as readonly string[]).length : 1;
}

/**
 * Mounts an operation as declared. Checks run in this order: allowed senders, declared size, credential, password, rate,
 * input schema, the key again, and the rate of its numbers. Malformed requests count toward an account's requests and
 * the platform's limiter, but not toward the exact count by address.
 */
function operation<E extends Endpoint>(endpoint: E, handler: Handler<E>): Mount {
  const { method, path, credential, password, rate, query, request, sameOrigin, format } = endpoint;
  const { maxBytes = MAX_BODY_BYTES } = endpoint;
  const bodyRule = request && { ...request, maxBytes };
  return function mount(route, isolate) {
    const verb = method.toUpperCase();
    const pattern = routePattern(path);
    const hasParameters = pattern.includes(":");

    function withParameters(c: RequestContext, body: object): object {
      if (query === undefined && !hasParameters) return body;
      return { ...(query && (readQuery(c, query) as object)), ...body, ...c.req.param() };
    }

    const use: KeyUse = credential === "any" ? "account" : "verify";
    const isForAnyOrigin = credential === "key" || credential === "any";
    route(verb, pattern, async (c) => {
      const state = c.get("state");
      const { io } = state;
      if (isForAnyOrigin) allowAnyOrigin(c);
      // Hono serves HEAD with the GET handler, and link checkers send it: it must not use up anything.
      if (verb === "GET" && rate !== undefined && c.req.method !== verb) throw methodNotAllowed(c, [verb]);
      if (sameOrigin !== undefined) requireOwnPage(c, sameOrigin);
      if (request !== undefined && format === undefined) checkDeclaredSize(c, maxBytes);
      state.operation = endpoint.id;
      const takesKey = credential === "key" || (credential === "any" && bringsApiKey(c));
      const caller = takesKey ? await requireApiKey(c, isolate, use) : undefined;
      const session =
        credential === "session" || (credential === "any" && !takesKey) ? await requireSession(c) : undefined;
      if (session !== undefined && password === "recent") requireRecentPassword(io, session);
      const own =
        credential === "session" && session && rate === "account" ? await dashboardKey(io, session.account) : undefined;
      if (own !== undefined) state.key = own;
      const metered = caller?.key ?? own;
      const limited = rate === "account" ? metered : undefined;
      if (limited !== undefined) limitAccount(c, isolate, limited, request === undefined ? "requests" : "numbers");
      if (rate !== undefined && rate !== "account") await checkAddress(c, isolate, rate);
      if (caller !== undefined && format === "ndjson") {
        checkMediaType(c, format);
        const renewKey = () => renewApiKey(c, isolate, caller);
        const call = { key: caller.key, renewKey, io, isolate, c } as unknown as Call<E>;
        return reply(c, endpoint, await handler(call));
      }
      const input = withParameters(c, bodyRule === undefined ? {} : ((await readBody(c, bodyRule)) as object));
      const key = caller ? requireApiKeyStill(c, isolate, caller, use) : own;
      if (request !== undefined && limited !== undefined) {
        const numbers = numbersOf(input);
        state.numbers = numbers;
        countNumbers(c, isolate, limited, numbers);
      }
      if (rate !== undefined && rate !== "account") await countAddress(c, rate);
      const either =
        credential === "any" ? { userId: key?.userId ?? session?.account.id, key: key ?? null } : undefined;
      const call = { key, session, caller: either, input, io, isolate, c } as unknown as Call<E>;
      return reply(c, endpoint, await handler(call));
    });
    if (isForAnyOrigin) route("OPTIONS", pattern, answerPreflight);
  };
}

/** Mounts a group of operations. Each declaration needs a handler, and each handler a declaration. */
export function operations<Group extends Readonly<Record<string, Endpoint>>>(
  group: Group,
  handlers: { readonly [Id in keyof Group]: Handler<Group[Id]> },
): Mount[] {
  return Object.entries(group).map(([id, endpoint]) =>
    operation(endpoint, handlers[id as keyof Group] as Handler<Endpoint>),
  );
}
