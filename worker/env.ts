import type {
  D1Database,
  Fetcher,
  KVNamespace,
  Queue,
  RateLimit,
  SendEmail,
  WorkerVersionMetadata,
} from "@cloudflare/workers-types";
import type { AccountRow } from "./accounts/find-account.ts";
import type { Config, Settings } from "./config.ts";
import type { AnsweredNumbers } from "./http/log.ts";
import type { LookUpSource } from "./keys/cache/key-cache.ts";
import type { KeyRecord } from "./keys/cache/record.ts";
import type { MailMessage } from "./mail/messages.ts";
import type { ProbeMessage } from "./status/probe.ts";
import type { UsageMessage } from "./usage/event.ts";

/** What wrangler.toml binds, and the settings beside it. */
export interface Bindings extends Settings {
  readonly DB: D1Database;
  readonly EDGE: KVNamespace;
  readonly USAGE: Queue<UsageMessage | ProbeMessage>;
  readonly MAIL: Queue<MailMessage>;
  readonly BACKSTOP: RateLimit;
  readonly ASSETS: Fetcher;
  readonly VERSION: WorkerVersionMetadata;
  /** Only where the operator has bound it, for MAIL_DRIVER = cloudflare. */
  readonly SEND_EMAIL?: SendEmail;
}

/** What middleware leaves for the handlers behind it. */
interface Variables {
  requestId: string;
  config: Config;
  /** The code of the error that was answered, for the log line. */
  errorCode: string;
  /** Where the key was found, and what came of the numbers, for the log line. */
  keySource: LookUpSource;
  answered: AnsweredNumbers;
  /** The key that the request came with. */
  apiKey: KeyRecord;
  /** The signed-in account. */
  account: AccountRow;
}

export interface AppEnv {
  Bindings: Bindings;
  Variables: Variables;
}
