import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { oneOf } from "../arguments.ts";
import type { EnvironmentName } from "../arguments.ts";
import { readRawConfig } from "../local/wrangler.ts";
import { readEnvironment, resourcesOf } from "../wrangler-config.ts";

/** Settings that the shell can override. */
const SETTINGS = [
  "PUBLIC_ORIGIN",
  "MAIL_DRIVER",
  "MAIL_FROM",
  "BREACH_CHECK",
  "MAIL_PER_HOUR",
  "MAIL_PER_DAY",
  "JURISDICTION",
];
const JURISDICTIONS = ["eu", "us", "fedramp"] as const;
const LOCATIONS = ["weur", "eeur", "apac", "oc", "wnam", "enam"] as const;

export type Target = ReturnType<typeof readTarget>;

/**
 * What to deploy: an environment of wrangler.toml with settings from the shell.
 * @param config the path of wrangler.toml; all that is written goes next to it
 * @throws UsageError for an invalid place
 */
export function readTarget(environment: EnvironmentName, config: string, env: NodeJS.ProcessEnv) {
  const bound = readEnvironment(environment, config);
  // GitHub passes unset variables as empty strings.
  const overrides = SETTINGS.map((name) => [name, env[name]]).filter(([, value]) => value);
  const all: Record<string, unknown> = { ...bound.vars, ...Object.fromEntries(overrides) };
  const settings = Object.fromEntries(Object.entries(all).map(([name, value]) => [name, String(value)]));
  const { JURISDICTION: jurisdiction } = settings;
  const { D1_LOCATION: location } = env;
  const folder = dirname(config);
  return {
    environment,
    config,
    worker: bound.name!,
    accountId: bound.account_id ?? env["CLOUDFLARE_ACCOUNT_ID"],
    resources: resourcesOf(bound),
    settings,
    jurisdiction: jurisdiction ? oneOf("JURISDICTION", JURISDICTIONS, jurisdiction) : null,
    location: location ? oneOf("D1_LOCATION", LOCATIONS, location) : null,
    /** Hosts that a deployment makes lead to the worker. */
    domains: [...(bound.routes ?? []), bound.route].flatMap((route) =>
      typeof route === "object" && route.custom_domain ? [route.pattern] : [],
    ),
    site: join(folder, "build/deploy/site"),
    workerFolder: join(folder, "build/deploy/worker"),
    /** For wrangler; not in build/deploy, which another job may have written. */
    ownConfig: join(folder, "wrangler.deploy.json"),
    secretsFile: join(folder, `secrets-${environment}.json`),
  };
}

/** The parts of an environment in wrangler.toml that get a deployment's own values. */
interface RawConfig {
  readonly assets: object;
  readonly d1_databases: readonly object[];
  readonly kv_namespaces: readonly object[];
}

/** Writes a wrangler configuration of this environment alone, with the deployment's site, settings, and ids. */
export function writeConfig(
  { config, environment, ownConfig, settings, site }: Target,
  ids: Readonly<Partial<Record<"account" | "database" | "namespace", string | undefined>>>,
): void {
  const { rawConfig } = readRawConfig({ config });
  const { env, ...top } = rawConfig as unknown as RawConfig & { env: Record<EnvironmentName, Partial<RawConfig>> };
  const raw = { ...top, ...env[environment] };
  const written = {
    ...raw,
    account_id: ids.account,
    vars: settings,
    assets: { ...raw.assets, directory: join(site, "client") },
    d1_databases: raw.d1_databases.map((database) => ({ ...database, database_id: ids.database })),
    kv_namespaces: raw.kv_namespaces.map((namespace) => ({ ...namespace, id: ids.namespace })),
  };
  writeFileSync(ownConfig, JSON.stringify(written, null, 2));
}
