import type { D1Database, Queue } from "@cloudflare/workers-types";
import { DurableObject } from "cloudflare:workers";
import type { MailMessage } from "../mail/email.ts";
import type { ActivityFilter } from "./activity.ts";
import { createLedger } from "./ledger.ts";
import type { CappedKey } from "./ledger.ts";
import type { CountedRow, Period } from "./store.ts";
import type { Part } from "./part.ts";

interface LedgerBindings {
  readonly DB: D1Database;
  readonly MAIL: Queue<MailMessage>;
}

/** An account's ledger as a Durable Object, named by the account's id. */
export class Ledger extends DurableObject<LedgerBindings> {
  readonly #ledger = createLedger({
    sql: (query, ...bindings) => this.ctx.storage.sql.exec(query, ...bindings).toArray(),
    transaction: (work) => this.ctx.storage.transactionSync(work),
    size: () => this.ctx.storage.sql.databaseSize,
    setAlarm: (at) => void this.ctx.storage.setAlarm(at),
    deleteAll: () => this.ctx.storage.deleteAll(),
    now: () => Date.now(),
    random: () => Math.random(),
    mail: (message) => this.env.MAIL.send(message, { contentType: "json" }),
    d1: async (query, ...bindings) =>
      (
        await this.env.DB.prepare(query)
          .bind(...bindings)
          .all()
      ).results,
    waitUntil: (work) => this.ctx.waitUntil(work),
  });

  record(part: Part, options?: { readonly enforce?: boolean }) {
    return this.#ledger.record(part, options);
  }

  usage(period: Period) {
    return this.#ledger.usage(period);
  }

  summary(periods: readonly [Period, ...Period[]]) {
    return this.#ledger.summary(periods);
  }

  keyDays(period: Period) {
    return this.#ledger.keyDays(period);
  }

  rowsAfter(row: CountedRow | null) {
    return this.#ledger.rowsAfter(row);
  }

  activity(filter: ActivityFilter) {
    return this.#ledger.activity(filter);
  }

  quotaUsed(startedAt: number) {
    return this.#ledger.quotaUsed(startedAt);
  }

  keys(month: string, capped: readonly CappedKey[]) {
    return this.#ledger.keys(month, capped);
  }

  erase() {
    return this.#ledger.erase();
  }

  override alarm() {
    return this.#ledger.alarm();
  }
}
