import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { experimental_readRawConfig } from "wrangler";
import { afterAll } from "vitest";
import { CONFIG } from "../scripts/wrangler-config.ts";
import { ROOT } from "../scripts/local/run.ts";

/** What an operator may set in wrangler.toml besides the `vars`: addresses, the account, and resource ids. */
const OPERATOR_SETTINGS: readonly string[] = [
  "route",
  "routes",
  "workers_dev",
  "preview_urls",
  "send_email",
  "account_id",
  "id",
  "database_id",
  "database_name",
];

interface Environment {
  name: string;
  main?: string;
  assets?: { directory: string };
  vars: Record<string, unknown>;
  d1_databases: { database_name?: string; migrations_dir: string }[];
  routes?: unknown;
}

/** wrangler.toml, unprocessed. */
export interface ProjectConfig extends Environment {
  env: Record<"production" | "staging", Environment>;
}

/** A configuration without the values that an operator may have set. */
export function withoutOperatorSettings<T>(config: T): T {
  const text = JSON.stringify(config, (key, value: unknown) => {
    if (OPERATOR_SETTINGS.includes(key)) return undefined;
    if (key !== "vars") return value;
    const { ENVIRONMENT, USAGE_QUEUE, MAIL_QUEUE } = value as Environment["vars"];
    return { ENVIRONMENT, USAGE_QUEUE, MAIL_QUEUE };
  });
  return JSON.parse(text) as T;
}

/** Parses a wrangler configuration file, without defaults and inheritance. */
export function readRawConfig(path: string): ProjectConfig {
  return experimental_readRawConfig({ config: path }).rawConfig as unknown as ProjectConfig;
}

/**
 * The path of an original copy of wrangler.toml, without an operator's settings, until the file's tests have run.
 * @param change transforms it; the folder is where it will be
 * @param parent where that folder is created
 */
export function writeProjectConfig(
  change: (config: ProjectConfig, folder: string) => void = () => {},
  parent = tmpdir(),
): string {
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, "checkline-config-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const fromFolder = (path: string) => relative(folder, join(ROOT, path));
  const config = withoutOperatorSettings(readRawConfig(CONFIG));
  config.main = fromFolder(config.main!);
  config.assets!.directory = fromFolder(config.assets!.directory);
  for (const { name, d1_databases: databases } of [config, ...Object.values(config.env)]) {
    for (const database of databases) {
      database.database_name = name;
      database.migrations_dir = fromFolder(database.migrations_dir);
    }
  }
  change(config, folder);
  const path = join(folder, "wrangler.json");
  writeFileSync(path, JSON.stringify(config));
  return path;
}
