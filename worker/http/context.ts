import type { Context } from "hono";
import type { Io } from "../io.ts";
import type { LookUpSource } from "../keys/cache/key-cache.ts";
import type { KeyRecord } from "../keys/cache/record.ts";

/** How many numbers a call was about, and how many of them were valid and, in the sandbox, delivered. */
export interface AnsweredNumbers {
  readonly numbers: number;
  readonly successful: number;
}

export interface AppEnv {
  Variables: {
    requestId: string;
    io: Io;
    // The rest is for the log line and the account's activity only.
    /** The declared operation. */
    operation?: string;
    /** The key, once it is known, whether it may be used or not. */
    key?: KeyRecord;
    /** How many numbers the request is about, and the country of a single one. */
    numbers?: number;
    country?: string | null;
    /** The code of the error that was returned. */
    errorCode?: string;
    /** Where the key was found. */
    keySource?: LookUpSource;
    answered?: AnsweredNumbers;
  };
}

export type RequestContext = Context<AppEnv>;
