import type { Context, Hono, MiddlewareHandler } from "hono";
import type { Io, Isolate } from "../io.ts";
import type { LookUpSource } from "../key-cache/key-cache.ts";
import type { KeyRecord } from "../key-cache/record.ts";
import type { PolicyState } from "../limits/rate/headers.ts";

/** How many numbers a call contained, how many were valid, and in the sandbox how many were delivered. */
export interface AnsweredNumbers {
  readonly numbers: number;
  readonly successful: number;
}

/** What a response, an error's too, and the request's log line need of it. */
interface Variables {
  isolate: Isolate;
  requestId: string;
  io: Io;
  /** The key once found, whether or not it may be used. The dashboard's calls get one for their session. */
  key: KeyRecord | undefined;
  /** Where the key was found. */
  keySource: LookUpSource | undefined;
  /** The response's headers so far: a plain object, so that only the response itself makes a `Headers`. */
  headers: Record<string, string>;
  /** The caller's position within its limits, which the response reports in headers. */
  limits: readonly PolicyState[] | undefined;
  /** The declared operation. */
  operation: string | undefined;
  /** The pattern of its path, which identifies no one. */
  route: string | undefined;
  /** The names of the body's declared fields. */
  fields: string[] | undefined;
  /** How many numbers the request contains, and the country if there is one number. */
  numbers: number | undefined;
  country: string | null | undefined;
  /** Whether the response is a stream, whose activity is recorded when it ends. */
  isStream: boolean | undefined;
  /** The code of the error that was returned. */
  errorCode: string | undefined;
  answered: AnsweredNumbers | undefined;
}

export interface AppEnv {
  Variables: Variables;
}

export type RequestContext = Context<AppEnv>;

export type Middleware = MiddlewareHandler<AppEnv>;

/** Adds routes to an isolate's app. */
export type Mount = (app: Hono<AppEnv>) => void;
