import type {
  D1Database,
  Fetcher,
  KVNamespace,
  Queue,
  RateLimit,
  SendEmail,
  WorkerVersionMetadata,
} from "@cloudflare/workers-types";
import type { MailMessage } from "./mail/email.ts";
import type { Settings } from "./platform/config.ts";
import type { LedgerNamespace } from "./ledger/namespace.ts";
import type { UsageMessage } from "./ledger/part.ts";

/** What wrangler.toml binds, plus settings. */
export interface Bindings extends Settings {
  readonly DB: D1Database;
  readonly EDGE: KVNamespace;
  readonly USAGE: Queue<UsageMessage>;
  readonly MAIL: Queue<MailMessage>;
  /** The names of the two queues. */
  readonly USAGE_QUEUE: string;
  readonly MAIL_QUEUE: string;
  readonly LEDGER: LedgerNamespace;
  readonly ADDRESS_BACKSTOP: RateLimit;
  readonly ACCOUNT_BACKSTOP: RateLimit;
  readonly ASSETS: Fetcher;
  readonly VERSION: WorkerVersionMetadata;
  /** Bound only for MAIL_DRIVER = cloudflare. */
  readonly SEND_EMAIL?: SendEmail;
}
