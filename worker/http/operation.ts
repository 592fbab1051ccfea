import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { InputOf, OutputOf, Endpoint } from "../../contract/endpoints/endpoint.ts";
import type { Session } from "../accounts/sessions.ts";
import type { Io, Isolate } from "../io.ts";
import type { KeyRecord } from "../key-cache/record.ts";
import type { Mount, RequestContext } from "./context.ts";
import {
  recheckApiKey,
  requireApiKey,
  requireKeyOrSession,
  requirePassword,
  requireSession,
  requireSessionAsKey,
} from "./credentials.ts";
import { methodNotAllowed } from "./errors.ts";
import { checkDeclaredSize, checkMediaType, readInput } from "./input.ts";
import { checkAddress, countAddress, countRequest } from "./limits.ts";
import { allowAnyOrigin, preflight, requireOwnPage } from "./origins.ts";

interface Credentials {
  readonly key: { readonly key: KeyRecord };
  readonly session: { readonly session: Session };
  /** Exactly one of the two. */
  readonly any: { readonly key?: KeyRecord; readonly session?: Session };
  readonly none: unknown;
}

/** Calls counted by account have a key; the dashboard's calls get one for their session. */
type Metered<E extends Endpoint> = E extends { readonly credential: "session"; readonly rate: "account" }
  ? { readonly key: KeyRecord }
  : unknown;

/** A stream reads its body itself. */
type Input<E extends Endpoint> = E extends { readonly format: "ndjson" } ? unknown : { readonly input: InputOf<E> };

/** The input of a handler. `c` is for response details. */
export type Call<E extends Endpoint> = Credentials[E["credential"]] &
  Metered<E> &
  Input<E> & {
    readonly io: Io;
    readonly isolate: Isolate;
    readonly c: RequestContext;
  };

type Reply<E extends Endpoint> = OutputOf<E> | Response;

/** Serves an operation: returns the body of a success, sent with the declared status, or a whole response. */
export type Handler<E extends Endpoint> = (call: Call<E>) => Reply<E> | Promise<Reply<E>>;

/** What a request must pass before its handler: throws the error that ends it, or adds what it found to `c`. */
type Step = (c: RequestContext) => void | Promise<void>;

/** Hono serves HEAD with the GET handler, and link checkers send it: it must not use up anything. */
function rejectHead(c: RequestContext): void {
  if (c.req.method === "HEAD") throw methodNotAllowed(c, ["GET"]);
}

/** The steps of an operation, in order. Rules that only its domain knows come with its handler. */
function stepsOf(endpoint: Endpoint): Step[] {
  const { method, credential, password, rate, request, sameOrigin, format, maxBytes } = endpoint;
  const takesKey = credential === "key" || credential === "any";
  const isStream = format === "ndjson";
  const isByAccount = rate === "account";
  const addressRule = rate === "account" ? undefined : rate;
  const authenticate = {
    key: (c: RequestContext) => requireApiKey(c, "verify"),
    session: isByAccount ? requireSessionAsKey : requireSession,
    any: requireKeyOrSession,
    none: null,
  }[credential];
  const steps: readonly (Step | false | null | undefined)[] = [
    takesKey && allowAnyOrigin,
    method === "get" && rate !== undefined && rejectHead,
    sameOrigin !== undefined && ((c) => requireOwnPage(c, sameOrigin)),
    request !== undefined && !isStream && ((c) => checkDeclaredSize(c, maxBytes)),
    authenticate,
    password === "recent" && requirePassword,
    isByAccount && countRequest,
    addressRule && ((c) => checkAddress(c, addressRule)),
    isStream ? (c) => checkMediaType(c, format) : (c) => readInput(c, endpoint),
    takesKey && !isStream && ((c) => recheckApiKey(c, credential === "any" ? "account" : "verify")),
    addressRule && ((c) => countAddress(c, addressRule)),
  ];
  return steps.filter((step): step is Step => typeof step === "function");
}

/** `{id}` in Hono's syntax. */
function routePattern(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}

/** Mounts an operation as declared: its steps, then its handler. */
function operation(endpoint: Endpoint, handler: Handler<Endpoint>): Mount {
  const pattern = routePattern(endpoint.path);
  const steps = stepsOf(endpoint);

  async function serve(c: RequestContext): Promise<Response> {
    c.set("operation", endpoint.id);
    for (const step of steps) await step(c);
    const [key, session, input] = [c.get("key"), c.get("session"), c.get("input")];
    const call = { key, session, input, io: c.get("io"), isolate: c.get("isolate"), c };
    const reply: object | undefined = await handler(call as Call<Endpoint>);
    if (reply instanceof Response) return reply;
    const { status } = endpoint.success;
    return reply === undefined ? c.body(null, status) : c.json(reply, status as ContentfulStatusCode);
  }

  return function mount(app) {
    app.on(endpoint.method.toUpperCase(), pattern, serve);
    if (endpoint.credential === "key" || endpoint.credential === "any") app.options(pattern, preflight);
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
