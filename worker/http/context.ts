import type { Context } from "hono";
import type { KeyMode } from "../../contract/limits.ts";
import type { Io } from "../io.ts";
import type { LookUpSource } from "../keys/cache/key-cache.ts";

/** How many numbers a call was about, and how many of them were valid and, in the sandbox, delivered. */
export interface AnsweredNumbers {
  readonly numbers: number;
  readonly successful: number;
}

export interface AppEnv {
  Variables: {
    requestId: string;
    io: Io;
    // The rest is for the log line only.
    /** The code of the error that was returned. */
    errorCode?: string;
    /** Where the key was found. */
    keySource?: LookUpSource;
    keyMode?: KeyMode;
    answered?: AnsweredNumbers;
  };
}

export type RequestContext = Context<AppEnv>;
