import { createApp } from "../worker/app.ts";
import type { D1PreparedStatement } from "@cloudflare/workers-types";
import type { Bindings } from "../worker/env.ts";
import { createIsolate } from "../worker/io.ts";
import type { MailMessage } from "../worker/mail/email.ts";
import { TEST_SETTINGS } from "./worker.ts";
import type { RunningWorker } from "./worker.ts";

/**
 * The database, recording every prepared statement and, for every batch that a response waits for, the number of
 * changed rows.
 */
function recordingDatabase(db: Bindings["DB"], statements: string[], changes: number[]): Bindings["DB"] {
  return new Proxy(db, {
    get(database, property) {
      if (property === "batch") {
        return async (batch: D1PreparedStatement[]) => {
          const results = await database.batch(batch);
          changes.push(results.reduce((sum, { meta }) => sum + meta.changes, 0));
          return results;
        };
      }
      if (property === "prepare") {
        return (statement: string) => {
          statements.push(statement);
          return database.prepare(statement);
        };
      }
      const value: unknown = Reflect.get(database, property);
      return typeof value === "function" ? value.bind(database) : value;
    },
  });
}

/** The account routes in this process, over the worker's database, with their work recorded. */
export function watchedRoutes({ env }: Pick<RunningWorker, "env">) {
  const statements: string[] = [];
  const changes: number[] = [];
  const messages: MailMessage[] = [];
  const work: Promise<unknown>[] = [];
  const queue = {
    send: async (message: MailMessage) => {
      messages.push(structuredClone(message));
      return env.MAIL.send(message);
    },
  };
  const bindings = {
    ...TEST_SETTINGS,
    DB: recordingDatabase(env.DB, statements, changes),
    MAIL: queue,
    ADDRESS_BACKSTOP: { limit: async () => ({ success: true }) },
    ACCOUNT_BACKSTOP: { limit: async () => ({ success: true }) },
    EDGE: env.EDGE,
  };
  const app = createApp(createIsolate(bindings as unknown as Bindings));
  const context = {
    waitUntil: (promise: Promise<unknown>) => work.push(promise),
    passThroughOnException() {},
    props: {},
  };
  return {
    statements,
    changes,
    messages,
    async request(path: string, init?: RequestInit): Promise<Response> {
      const response = await app.request(path, init, {}, context);
      // Background work adds nothing to the response time.
      const awaited = changes.length;
      await Promise.all(work);
      changes.length = awaited;
      return response;
    },
  };
}
