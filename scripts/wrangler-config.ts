import { join } from "node:path";
import { unstable_readConfig } from "wrangler";
import { ROOT } from "./local/run.ts";

/** The path of wrangler.toml. */
export const CONFIG = join(ROOT, "wrangler.toml");

/** The environments of wrangler.toml that can be deployed. */
export const ENVIRONMENTS = ["production", "staging"] as const;
export type EnvironmentName = (typeof ENVIRONMENTS)[number];

/** The parts of an environment that scripts read, inherited values included. */
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
}

/**
 * Reads an environment of wrangler.toml; null is its top level.
 * @param path of a configuration to read instead of the project's
 */
export function readEnvironment(environment: EnvironmentName | null, path = CONFIG): WranglerConfig {
  return unstable_readConfig({ config: path, env: environment ?? "" }, { hideWarnings: true }) as WranglerConfig;
}

/** Returns the only element. @throws Error that names what wrangler.toml should bind once. */
export function onlyOne<T>(values: readonly T[], what: string): T {
  const [value] = values;
  if (value === undefined || values.length > 1) throw new Error(`wrangler.toml must bind exactly one ${what}.`);
  return value;
}
