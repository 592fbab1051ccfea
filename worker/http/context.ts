import type { Context } from "hono";
import type { Io, Isolate } from "../io.ts";
import type { LookUpSource } from "../key-cache/key-cache.ts";
import type { KeyRecord } from "../key-cache/record.ts";
import type { PolicyState } from "../limits/rate/headers.ts";

/** How many numbers a call contained, how many were valid, and in the sandbox how many were delivered. */
export interface AnsweredNumbers {
  readonly numbers: number;
  readonly successful: number;
}

/** Per-request state in a single object, since one is allocated for every request. */
export class RequestState {
  readonly requestId: string;
  /** The request's headers. A field, because each access to `Request.headers` calls into the runtime. */
  readonly incoming: Headers;
  /** Set when the request is opened, before anything reads it. */
  io!: Io;
  /** The calling page's origin; undefined if no page called, null until looked up. */
  origin: string | undefined | null = null;
  /** Whether the body's size is declared and was checked. Otherwise, its bytes are counted. */
  hasDeclaredSize = false;
  /** Headers specific to this response. */
  readonly headers: Record<string, string>;
  /** The caller's position within its limits, for the headers. */
  standings: readonly PolicyState[] | undefined = undefined;
  /** The response with those headers. */
  response: Response | undefined = undefined;
  // The rest is only for the log line and the account's activity.
  /** The declared operation. */
  operation: string | undefined = undefined;
  /** The key once found, whether or not it may be used. */
  key: KeyRecord | undefined = undefined;
  /** How many numbers the request contains, and the country if there is one number. */
  numbers = 0;
  country: string | null = null;
  /** Whether the response is a stream, whose activity is recorded when it ends. */
  isStream = false;
  /** The code of the error that was returned. */
  errorCode: string | undefined = undefined;
  /** Where the key was found. */
  keySource: LookUpSource | undefined = undefined;
  answered: AnsweredNumbers | undefined = undefined;

  constructor(requestId: string, incoming: Headers) {
    this.requestId = requestId;
    this.incoming = incoming;
    this.headers = { "X-Request-Id": requestId };
  }
}

export interface AppEnv {
  Variables: { state: RequestState };
}

export type RequestContext = Context<AppEnv>;

/** A request header; undefined without it. */
export function requestHeader(c: RequestContext, name: string): string | undefined {
  return c.get("state").incoming.get(name) ?? undefined;
}

/** Serves a request. Anything it throws becomes an error response. */
export type Serve = (c: RequestContext) => Response | Promise<Response>;

/** Adds a route to the app. The method `ALL` matches every method. */
export type AddRoute = (method: string, pattern: string, serve: Serve) => void;

/** Adds routes to an isolate's app. */
export type Mount = (route: AddRoute, isolate: Isolate) => void;
