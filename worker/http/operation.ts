import type { Endpoint, InputOf, OutputOf } from "../../contract/endpoints/endpoint.ts";
import type { Io, Isolate } from "../io.ts";
import { admit, identify } from "./caller.ts";
import type { Caller } from "./caller.ts";
import type { Mount, RequestContext } from "./context.ts";
import { methodNotAllowed } from "./errors.ts";
import { checkDeclaredSize, checkInput, readBody } from "./input.ts";
import type { Checked } from "./input.ts";
import { countAddressInput, countChange } from "./limits.ts";
import { allowAnyOrigin, preflight, requireOwnPage } from "./origins.ts";
import { respond, respondJson } from "./response.ts";

type CallerOf<Kind extends Caller["kind"]> = Omit<Extract<Caller, { readonly kind: Kind }>, "kind">;

interface Callers {
  readonly key: CallerOf<"key">;
  readonly session: CallerOf<"session">;
  readonly any: Extract<Caller, { readonly kind: "key" | "session" }>;
  readonly none: unknown;
}

/** Requests of a session counted like those of a live key get one for their account. */
type CallerOn<E extends Endpoint> = E extends { readonly credential: "session"; readonly rate: "requests by account" }
  ? CallerOf<"dashboard">
  : Callers[E["credential"]];

/** A stream reads its body itself. */
type Input<E extends Endpoint> = E extends { readonly format: "ndjson" } ? unknown : { readonly input: InputOf<E> };

/** The input of a handler. `c` is for response details. */
export type Call<E extends Endpoint> = CallerOn<E> &
  Input<E> & {
    readonly io: Io;
    readonly isolate: Isolate;
    readonly c: RequestContext;
  };

type Reply<E extends Endpoint> = OutputOf<E> | Response;

/** Serves an operation: returns the body of a success, sent with the declared status, or a whole response. */
export type Handler<E extends Endpoint> = (call: Call<E>) => Reply<E> | Promise<Reply<E>>;

/** Whether pages of any origin may call and read it: with a key, which is the credential. */
function isForAnyOrigin({ credential }: Endpoint): boolean {
  return credential === "key" || credential === "any";
}

/** Hono serves HEAD with the GET handler, and link checkers send it: it must not use up anything. */
function isHeadRejected({ method, rate }: Endpoint): boolean {
  return method === "get" && (rate === "requests by account" || rate === "links by address");
}

/** What a request's head alone decides. @throws ApiError 403, 405, or 413 */
function checkHead(c: RequestContext, endpoint: Endpoint): void {
  if (isForAnyOrigin(endpoint)) allowAnyOrigin(c);
  if (c.req.method === "HEAD" && isHeadRejected(endpoint)) throw methodNotAllowed(c, ["GET"]);
  if (endpoint.sameOrigin !== undefined) requireOwnPage(c, endpoint.sameOrigin);
  if (endpoint.request !== undefined && endpoint.format === undefined) checkDeclaredSize(c, endpoint);
}

/** The last step: counts a well-formed request. @returns the handler's input. @throws ApiError 429, or 503 */
async function countInput(c: RequestContext, endpoint: Endpoint, { caller, input }: Checked<Caller>) {
  if (endpoint.credential === "none") await countAddressInput(c, endpoint.rate, input);
  if (endpoint.rate === "changes by account" && caller.kind === "session") await countChange(c, caller.session);
  return { ...caller, input, io: c.get("io"), isolate: c.get("isolate"), c };
}

/** `{id}` in Hono's syntax. */
function routePattern(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}

/**
 * Mounts an operation as declared: its steps, then its handler. Each step after `checkHead` takes what the one before
 * found, so none can be left out or come too early. Rules that only its domain knows come with the handler.
 */
function operation(endpoint: Endpoint, handler: Handler<Endpoint>): Mount {
  const pattern = routePattern(endpoint.path);

  async function serve(c: RequestContext): Promise<Response> {
    c.set("operation", endpoint.id);
    c.set("route", pattern);
    checkHead(c, endpoint);
    const visitor = await identify(c, endpoint);
    const read = await readBody(c, endpoint, visitor);
    const admitted = await admit(c, endpoint, read);
    const call = await countInput(c, endpoint, checkInput(c, endpoint, admitted));
    const reply: object | undefined = await handler(call as Call<Endpoint>);
    if (reply instanceof Response) return reply;
    const { status } = endpoint.success;
    return reply === undefined ? respond(c, null, status) : respondJson(c, reply, status);
  }

  return function mount(app) {
    app.on(endpoint.method.toUpperCase(), pattern, serve);
    if (isForAnyOrigin(endpoint)) app.options(pattern, preflight);
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
