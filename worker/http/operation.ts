import type { InputOf, OutputOf, Endpoint } from "../../contract/endpoints/endpoint.ts";
import type { Session } from "../accounts/sessions.ts";
import type { Io, Isolate } from "../io.ts";
import type { KeyRecord } from "../key-cache/record.ts";
import type { Mount, RequestContext } from "./context.ts";
import {
  findDashboardKey,
  recheckApiKey,
  requireApiKey,
  requireKeyOrSession,
  requirePassword,
  requireSession,
} from "./credentials.ts";
import { methodNotAllowed } from "./errors.ts";
import { checkDeclaredSize, checkMediaType, readInput } from "./input.ts";
import { checkAddress, countAddress, countCall, countChange, countRequest } from "./limits.ts";
import { allowAnyOrigin, preflight, requireOwnPage } from "./origins.ts";
import { respond, respondJson } from "./response.ts";

interface Credentials {
  readonly key: { readonly key: KeyRecord };
  readonly session: { readonly session: Session };
  /** Exactly one of the two. */
  readonly any: { readonly key?: KeyRecord; readonly session?: Session };
  readonly none: unknown;
}

/** Requests of a session counted like those of a live key get one for their account. */
type Metered<E extends Endpoint> = E extends { readonly credential: "session"; readonly rate: "requests by account" }
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
type Step = (c: RequestContext, endpoint: Endpoint) => void | Promise<void>;

/** Hono serves HEAD with the GET handler, and link checkers send it: it must not use up anything. */
function rejectHead(c: RequestContext): void {
  if (c.req.method === "HEAD") throw methodNotAllowed(c, ["GET"]);
}

/** The steps of an operation, in order. Rules that only its domain knows come with its handler. */
export function stepsOf({ method, credential, password, rate, request, sameOrigin, format }: Endpoint): Step[] {
  const takesKey = credential === "key" || credential === "any";
  const isRequest = rate === "requests by account";
  const isByAddress = credential === "none";
  const isStream = format === "ndjson";
  const when = (condition: boolean, step: Step) => (condition ? [step] : []);
  return [
    ...when(takesKey, allowAnyOrigin),
    ...when(method === "get" && (isRequest || rate === "links by address"), rejectHead),
    ...when(sameOrigin !== undefined, requireOwnPage),
    ...when(request !== undefined && !isStream, checkDeclaredSize),
    ...when(credential === "key", requireApiKey),
    ...when(credential === "any", requireKeyOrSession),
    ...when(credential === "session", requireSession),
    ...when(credential === "session" && isRequest, findDashboardKey),
    ...when(credential === "session" && !isRequest, countCall),
    ...when(password === "recent", requirePassword),
    ...when(isRequest, countRequest),
    ...when(isByAddress, checkAddress),
    ...when(isStream, checkMediaType),
    ...when(!isStream, readInput),
    ...when(takesKey && !isStream, recheckApiKey),
    ...when(rate === "changes by account", countChange),
    ...when(isByAddress, countAddress),
  ];
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
    c.set("route", pattern);
    for (const step of steps) await step(c, endpoint);
    const call = {
      key: c.get("key"),
      session: c.get("session"),
      input: c.get("input"),
      io: c.get("io"),
      isolate: c.get("isolate"),
      c,
    };
    const reply: object | undefined = await handler(call as Call<Endpoint>);
    if (reply instanceof Response) return reply;
    const { status } = endpoint.success;
    return reply === undefined ? respond(c, null, status) : respondJson(c, reply, status);
  }

  return function mount(app) {
    app.on(endpoint.method.toUpperCase(), pattern, serve);
    if (steps.includes(allowAnyOrigin)) app.options(pattern, preflight);
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
