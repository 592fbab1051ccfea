import type { Bindings } from "../../worker/env.ts";
import type { ReplayQueue } from "../../worker/usage/dead-letters.ts";
import { onlyOne } from "../wrangler-config.ts";
import type { WranglerConfig } from "../wrangler-config.ts";

/** A database as `wrangler d1 list --json` names it. */
export interface ListedDatabase {
  readonly uuid: string;
  readonly name: string;
}

/** The environment's one database. */
export function databaseOf({ d1_databases: databases }: WranglerConfig): WranglerConfig["d1_databases"][number] {
  return onlyOne(databases, "D1 database");
}

/** A configuration without code, whose database and queues are those of the worker deployed from an environment. */
export function remoteConfig(environment: WranglerConfig, databaseId: string) {
  const { name, compatibility_date, account_id, queues } = environment;
  const { binding, database_name } = databaseOf(environment);
  const producers = (queues.producers ?? []).map((each) => ({
    binding: each.binding,
    queue: each.queue,
    remote: true,
  }));
  return {
    name: `${name}-admin`,
    compatibility_date,
    send_metrics: false,
    ...(account_id !== undefined && { account_id }),
    d1_databases: [{ binding, database_name, database_id: databaseId, remote: true }],
    queues: { producers },
  };
}

/** The queues that a worker sends to, by the names that its environment gives them. */
export function remoteQueues(
  { queues }: Pick<WranglerConfig, "queues">,
  env: Pick<Bindings, "USAGE" | "MAIL">,
): Record<string, ReplayQueue> {
  const bound: Readonly<Record<string, ReplayQueue | undefined>> = { USAGE: env.USAGE, MAIL: env.MAIL };
  return Object.fromEntries(
    (queues.producers ?? []).flatMap((producer) => {
      const found = bound[producer.binding];
      return producer.queue === undefined || found === undefined ? [] : [[producer.queue, found]];
    }),
  );
}
