import { join } from "node:path";
import { unstable_readConfig } from "wrangler";
import { MIN_SECRET_LENGTH, parseConfig } from "../../worker/platform/config.ts";
import { ROOT } from "../local/run.ts";
import type { EnvironmentName } from "./arguments.ts";

export const CONFIG = join(ROOT, "wrangler.toml");

/** Settings that a shell may give in place of wrangler.toml. */
const SETTINGS = ["PUBLIC_ORIGIN", "MAIL_DRIVER", "MAIL_FROM"] as const;

/** What is read of an environment of wrangler.toml, with what it inherits. */
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
 * An environment of wrangler.toml; null is its top level.
 * @param path of another configuration than the project's
 */
export function readEnvironment(environment: EnvironmentName | null, path = CONFIG): WranglerConfig {
  return unstable_readConfig({ config: path, env: environment ?? "" }, { hideWarnings: true }) as WranglerConfig;
}

/** What is to be deployed where: an environment of wrangler.toml with the settings of this shell. */
export interface Target {
  readonly environment: EnvironmentName | null;
  /** The path of wrangler.toml. */
  readonly config: string;
  readonly worker: string;
  readonly database: { readonly binding: string; readonly name: string; readonly id: string | null };
  /** Null for the id of a namespace that wrangler is to find or create by itself. */
  readonly namespace: { readonly binding: string; readonly id: string | null };
  /** Every queue, also those for dead letters. */
  readonly queues: readonly string[];
  /** Settings by name: those of wrangler.toml, overlaid by the shell's. */
  readonly settings: Readonly<Record<string, string>>;
  /** Those that the shell gave. */
  readonly overrides: Readonly<Record<string, string>>;
  readonly sendsThroughCloudflare: boolean;
}

/** The one thing of a kind that is bound. */
export function onlyOne<T>(values: readonly T[], what: string): T {
  const [value] = values;
  if (value === undefined || values.length > 1) throw new Error(`wrangler.toml must bind exactly one ${what}.`);
  return value;
}

/**
 * Reads an environment of wrangler.toml.
 * @param variables of this shell
 * @param path of another configuration than the project's
 */
export function readTarget(
  environment: EnvironmentName | null,
  variables: Readonly<Record<string, string | undefined>>,
  path = CONFIG,
): Target {
  const config = readEnvironment(environment, path);
  const database = onlyOne(config.d1_databases, "D1 database");
  const namespace = onlyOne(config.kv_namespaces, "KV namespace");
  const { producers = [], consumers = [] } = config.queues;
  const queues = [...producers, ...consumers].flatMap(({ queue }) => queue ?? []);
  const dead = consumers.flatMap((consumer) => consumer.dead_letter_queue ?? []);
  const configured = Object.entries(config.vars).map(([name, value]) => [name, String(value)] as const);
  const overrides = SETTINGS.flatMap((name) => {
    const value = variables[name];
    return value === undefined || value === "" ? [] : [[name, value] as const];
  });
  if (config.name === undefined) throw new Error("wrangler.toml names no worker.");
  return {
    environment,
    config: path,
    worker: config.name,
    database: {
      binding: database.binding,
      name: database.database_name ?? `${config.name}-db`,
      id: database.database_id ?? null,
    },
    namespace: { binding: namespace.binding, id: namespace.id ?? null },
    queues: [...new Set([...queues, ...dead])],
    settings: Object.fromEntries([...configured, ...overrides]),
    overrides: Object.fromEntries(overrides),
    sendsThroughCloudflare: config.send_email.some(({ name }) => name === "SEND_EMAIL"),
  };
}

/**
 * What the operator has not set up yet, in the words that the deployed health check will use.
 * @param secrets names of those that the worker will have
 */
export function settingProblems(target: Target, secrets: readonly string[]): string[] {
  const present = Object.fromEntries(secrets.map((name) => [name, "x".repeat(MIN_SECRET_LENGTH)]));
  const { problems } = parseConfig({ ...target.settings, ...present });
  const unbound = target.settings["MAIL_DRIVER"] === "cloudflare" && !target.sendsThroughCloudflare;
  return unbound
    ? [...problems, "MAIL_DRIVER is cloudflare, but wrangler.toml has no send_email binding SEND_EMAIL."]
    : [...problems];
}
