import type { D1Database, Fetcher, KVNamespace, Queue, RateLimit } from "@cloudflare/workers-types";
import type { ApiKeyRecord } from "./keys/find-api-key.ts";

/** What wrangler.toml binds. */
export interface Bindings {
  readonly DB: D1Database;
  readonly EDGE: KVNamespace;
  readonly USAGE: Queue;
  readonly MAIL: Queue;
  readonly BACKSTOP: RateLimit;
  readonly ASSETS: Fetcher;
}

/** What middleware leaves for the handlers behind it. */
interface Variables {
  requestId: string;
  /** The code of the error that was answered, for the log line. */
  errorCode: string;
  apiKey: ApiKeyRecord;
}

export interface AppEnv {
  Bindings: Bindings;
  Variables: Variables;
}
