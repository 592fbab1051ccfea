import type { Context, Hono, MiddlewareHandler } from "hono";
import type { Session } from "../accounts/sessions.ts";
import type { Io, Isolate } from "../io.ts";
import type { LookUpSource } from "../key-cache/key-cache.ts";
import type { KeyRecord } from "../key-cache/record.ts";
import type { PolicyState, RatePolicy } from "../limits/rate/headers.ts";

/** How many numbers a call contained, how many were valid, and in the sandbox how many were delivered. */
export interface AnsweredNumbers {
  readonly numbers: number;
  readonly successful: number;
}

/** What an account may request per minute, and which of its keys count together. */
export interface AccountLimits {
  readonly subject: string;
  readonly requests: RatePolicy;
  readonly numbers: RatePolicy;
}

/** What the steps of a request find, for those after them and for the request's log line. */
interface Variables {
  isolate: Isolate;
  requestId: string;
  io: Io;
  /** The key once found, whether or not it may be used. The dashboard's calls get one for their session. */
  key: KeyRecord | undefined;
  /** SHA-256 of the API key, in hex. */
  keyHash: string | undefined;
  /** Where the key was found. */
  keySource: LookUpSource | undefined;
  session: Session | undefined;
  /** Path parameters, query, and body, checked against the operation's schemas. */
  input: object;
  /** The response's headers so far: a plain object, so that only the response itself makes a `Headers`. */
  headers: Record<string, string>;
  /** What the request was counted toward; undefined for a page's and a session's. */
  accountLimits: AccountLimits | undefined;
  /** The caller's position within its limits, which the response reports in headers. */
  limits: readonly PolicyState[] | undefined;
  // The rest is only for the log line and the account's activity.
  /** The declared operation. */
  operation: string | undefined;
  /** The pattern of its path, which identifies no one. */
  route: string | undefined;
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
