import type { Context } from "hono";
import type { Io, Isolate } from "../io.ts";
import type { LookUpSource } from "../keys/cache/key-cache.ts";
import type { KeyRecord } from "../keys/cache/record.ts";
import type { PolicyStanding } from "../limits/rate/headers.ts";

/** How many numbers a call was about, and how many of them were valid and, in the sandbox, delivered. */
export interface AnsweredNumbers {
  readonly numbers: number;
  readonly successful: number;
}

/** What is known of a request while it is served: one object with room for all of it, as it is made for each. */
export class RequestState {
  readonly requestId: string;
  /** Set as soon as the request is opened, before anything else sees it. */
  io!: Io;
  /** The page that sent it; undefined for what is no page, null until it has been asked for. */
  origin: string | undefined | null = null;
  /** What is particular about the headers of the response that is to be made. */
  readonly headers: Record<string, string>;
  /** Where the caller is within its limits, for the headers. */
  standings: readonly PolicyStanding[] | undefined = undefined;
  /** The response that has them. */
  response: Response | undefined = undefined;
  // The rest is for the log line and the account's activity only.
  /** The declared operation. */
  operation: string | undefined = undefined;
  /** The key, once it is known, whether it may be used or not. */
  key: KeyRecord | undefined = undefined;
  /** How many numbers the request is about, and the country of a single one. */
  numbers = 0;
  country: string | null = null;
  /** Whether its response is a stream, whose activity is noted when it ends. */
  isStream = false;
  /** The code of the error that was returned. */
  errorCode: string | undefined = undefined;
  /** Where the key was found. */
  keySource: LookUpSource | undefined = undefined;
  answered: AnsweredNumbers | undefined = undefined;

  constructor(requestId: string) {
    this.requestId = requestId;
    this.headers = { "X-Request-Id": requestId };
  }
}

export interface AppEnv {
  Variables: { state: RequestState };
}

export type RequestContext = Context<AppEnv>;

/** Serves a request. What it throws becomes an error response. */
export type Serve = (c: RequestContext) => Response | Promise<Response>;

/** Adds a route to the app. The method `ALL` is all of them. */
export type AddRoute = (method: string, pattern: string, serve: Serve) => void;

/** Adds routes to the app of an isolate. */
export type Mount = (route: AddRoute, isolate: Isolate) => void;
