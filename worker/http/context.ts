import type { Context } from "hono";
import type { Io } from "../io.ts";
import type { LookUpSource } from "../keys/cache/key-cache.ts";
import type { KeyRecord } from "../keys/cache/record.ts";
import type { PolicyStanding } from "../limits/rate/headers.ts";

/** How many numbers a call was about, and how many of them were valid and, in the sandbox, delivered. */
export interface AnsweredNumbers {
  readonly numbers: number;
  readonly successful: number;
}

export interface AppEnv {
  Variables: {
    requestId: string;
    io: Io;
    /** What is particular about the headers of the response that is to be made. */
    headers: Record<string, string>;
    /** Where the caller is within its limits, for the headers. */
    standings?: readonly PolicyStanding[];
    /** The response that has them. */
    response?: Response;
    // The rest is for the log line and the account's activity only.
    /** The declared operation. */
    operation?: string;
    /** Its path, as a pattern. */
    route?: string;
    /** The key, once it is known, whether it may be used or not. */
    key?: KeyRecord;
    /** How many numbers the request is about, and the country of a single one. */
    numbers?: number;
    country?: string | null;
    /** Whether its response is a stream, whose activity is noted when it ends. */
    isStream?: true;
    /** The code of the error that was returned. */
    errorCode?: string;
    /** Where the key was found. */
    keySource?: LookUpSource;
    answered?: AnsweredNumbers;
  };
}

export type RequestContext = Context<AppEnv>;
