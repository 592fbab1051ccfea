import { join } from "node:path";
import { unstable_readConfig } from "wrangler";
import type { EnvironmentName } from "./arguments.ts";
import { ROOT } from "./local/run.ts";

/** The path of wrangler.toml. */
export const CONFIG = join(ROOT, "wrangler.toml");

/** The parts of an environment that scripts use, inherited values included. */
export interface WranglerConfig {
  readonly name?: string;
  readonly account_id?: string;
  readonly compatibility_date?: string;
  readonly vars: Readonly<Record<string, unknown>>;
  readonly d1_databases: readonly {
    readonly binding: string;
    readonly database_name?: string;
    readonly database_id?: string;
  }[];
  readonly kv_namespaces: readonly { readonly binding: string; readonly id?: string }[];
  readonly queues: {
    readonly producers?: readonly { readonly binding: string; readonly queue?: string }[];
    readonly consumers?: readonly { readonly queue: string; readonly dead_letter_queue?: string }[];
  };
  readonly send_email: readonly { readonly name: string }[];
  readonly route?: Route;
  readonly routes?: readonly Route[];
}

type Route = string | { readonly pattern: string; readonly custom_domain?: boolean };

/**
 * Reads an environment of wrangler.toml; null is its top level.
 * @param path of another configuration than the project's
 */
export function readEnvironment(environment: EnvironmentName | null, path = CONFIG): WranglerConfig {
  return unstable_readConfig({ config: path, env: environment ?? "" }, { hideWarnings: true }) as WranglerConfig;
}

export type Resources = ReturnType<typeof resourcesOf>;

/** A worker's resources, by their names in the account: created by deploying, used by admin commands. */
export function resourcesOf({ name, d1_databases, kv_namespaces, queues }: WranglerConfig) {
  const database = onlyOne(d1_databases, "D1 database");
  const namespace = onlyOne(kv_namespaces, "KV namespace");
  const { producers = [], consumers = [] } = queues;
  const named = [
    ...producers.map(({ queue }) => queue),
    ...consumers.map(({ queue }) => queue),
    ...consumers.map(({ dead_letter_queue: queue }) => queue),
  ];
  return {
    database: { ...database, database_name: database.database_name ?? `${name}-db` },
    /** The title that wrangler gives the namespace when a deployment creates it. */
    namespace: { ...namespace, title: `${name}-${namespace.binding.toLowerCase()}` },
    producers,
    queues: [...new Set(named)].filter((queue) => queue !== undefined),
  };
}

/** Returns the only element. @throws Error naming what wrangler.toml should bind once. */
function onlyOne<T>(values: readonly T[], what: string): T {
  const [value] = values;
  if (value === undefined || values.length > 1) throw new Error(`wrangler.toml must bind exactly one ${what}.`);
  return value;
}
