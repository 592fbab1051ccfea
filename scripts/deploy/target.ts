import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { experimental_readRawConfig } from "wrangler";
import { MIN_SECRET_LENGTH, parseConfig } from "../../worker/platform/config.ts";
import type { EnvironmentName } from "../arguments.ts";
import { ROOT } from "../local/run.ts";
import { readEnvironment, resourcesOf } from "../wrangler-config.ts";

/** Where a deployment builds, separate from web/build, which a running `npm start` serves. */
export const FOLDER = join(ROOT, "build/deploy");
export const SITE = join(FOLDER, "site");
/** wrangler.toml with values filled in by the deployment. */
export const BUILT_CONFIG = join(FOLDER, "wrangler.json");

/** Settings that the shell can override. */
const SETTINGS = ["PUBLIC_ORIGIN", "MAIL_DRIVER", "MAIL_FROM", "BREACH_CHECK"] as const;

export type Target = ReturnType<typeof readTarget>;

/**
 * What to deploy: an environment of wrangler.toml with settings from the shell.
 * @param environment null is the top level
 * @param config the path of wrangler.toml
 */
export function readTarget(environment: EnvironmentName | null, config: string, env: NodeJS.ProcessEnv) {
  const bound = readEnvironment(environment, config);
  const settings: Record<string, string> = {};
  for (const [name, value] of Object.entries(bound.vars)) settings[name] = String(value);
  // GitHub passes unset variables as empty strings.
  for (const name of SETTINGS) settings[name] = env[name] || settings[name] || "";
  return {
    environment,
    config,
    worker: bound.name!,
    resources: resourcesOf(bound),
    /** By name; unset ones are omitted. */
    settings: Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== "")),
    bindsEmail: bound.send_email.some(({ name }) => name === "SEND_EMAIL"),
    /** The environment's flag on wrangler's command line. */
    flag: `--env=${environment ?? ""}`,
  };
}

/**
 * What the deployed worker's settings lack, and whether it can send email.
 * @param present its secrets; their values can't be read
 * @param secrets those it will get, by name
 * @throws Error when the session secret is too short
 */
export function checkSettings(
  { settings, bindsEmail }: Target,
  present: readonly { name: string }[],
  secrets: Readonly<Record<string, string>>,
) {
  const unknown = Object.fromEntries(present.map(({ name }) => [name, "x".repeat(MIN_SECRET_LENGTH)]));
  const { mail, problems } = parseConfig({ ...settings, ...unknown, ...secrets });
  if (mail?.driver !== "cloudflare" || bindsEmail) return { sendsEmail: mail !== null, problems: [...problems] };
  const unbound = "MAIL_DRIVER is cloudflare, but wrangler.toml has no send_email binding SEND_EMAIL.";
  return { sendsEmail: false, problems: [unbound, ...problems] };
}

interface RawEnvironment {
  vars: Record<string, string>;
  d1_databases: { database_id?: string | undefined; migrations_dir: string }[];
  kv_namespaces: { id?: string | undefined }[];
}
interface RawConfig extends RawEnvironment {
  main: string;
  assets: { directory: string };
  env: Record<EnvironmentName, RawEnvironment>;
}

/**
 * Writes BUILT_CONFIG: wrangler.toml with the site built by the deployment, settings from the shell, and resource ids.
 * Committed files stay unchanged.
 * @param ids of database and namespace, as far as known
 */
export function writeConfig(
  { environment, config, settings }: Target,
  ids: Readonly<Record<"database" | "namespace", string | undefined>>,
): void {
  const raw = structuredClone(experimental_readRawConfig({ config }).rawConfig) as unknown as RawConfig;
  const bound = environment === null ? raw : raw.env[environment];
  raw.main = resolve(dirname(config), raw.main);
  raw.assets.directory = join(SITE, "client");
  bound.vars = { ...bound.vars, ...settings };
  for (const database of bound.d1_databases) {
    database.migrations_dir = resolve(dirname(config), database.migrations_dir);
    database.database_id ??= ids.database;
  }
  for (const namespace of bound.kv_namespaces) namespace.id ??= ids.namespace;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(BUILT_CONFIG, JSON.stringify(raw, null, 2));
}
