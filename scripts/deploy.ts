/** Deploys Checkline to Cloudflare with wrangler: `npm run deploy`. `deploy`, near the end, has the steps in order. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { experimental_readRawConfig } from "wrangler";
import { parseConfig } from "../worker/platform/config.ts";
import { ENVIRONMENTS, oneOf, parseArguments, runMain } from "./arguments.ts";
import type { EnvironmentName } from "./arguments.ts";
import { checkZone, onlyAccount, openApi, otherOwner } from "./deploy/account-checks.ts";
import { ADDRESS_MINUTES, smokeTest } from "./deploy/smoke-test.ts";
import type { SmokeTestIo } from "./deploy/smoke-test.ts";
import { CONFIG, idsOf, readEnvironment, resourcesOf } from "./wrangler-config.ts";
import { parseOutput, run, wranglerFor } from "./wrangler.ts";
import type { Wrangler } from "./wrangler.ts";

const USAGE = `Usage: npm run deploy -- [--env production|staging] [--only build|release] [--take-domain] [--dry-run]

  --env          the environment of wrangler.toml; default: production
  --only         build: builds the site and the worker into build/deploy, without an account; release: deploys these. Both need
                 the same settings. In CI, only release is given the token, and runs no dependency but wrangler
  --take-domain  where wrangler can't ask, as in CI, lets it take over a custom domain that leads elsewhere
  --dry-run      prints every step, and starts and changes nothing

Settings come from the environment's vars in wrangler.toml. These variables of the shell override them: PUBLIC_ORIGIN,
MAIL_DRIVER, MAIL_FROM, BREACH_CHECK, MAIL_PER_HOUR, MAIL_PER_DAY, JURISDICTION. D1_LOCATION and JURISDICTION say where data is created, for good.
OPERATOR is named in the privacy policy. SESSION_SECRET, TRIAL_SECRET and RESEND_API_KEY are uploaded only when the
worker has none.
`;

const PARTS = ["build", "release"] as const;
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

/**
 * The longest that a queue can keep a message; the default is 4 days. Usage waits there while a ledger is down, and
 * expired messages vanish silently. The worker gives usage up a day earlier (`usageMaxAge`).
 */
const RETENTION = `--message-retention-period-secs=${14 * 86_400}`;

export interface Options {
  readonly environment: EnvironmentName;
  /** The path of wrangler.toml. The build and generated secrets go next to it. */
  readonly config: string;
  /** Null for everything. */
  readonly only: (typeof PARTS)[number] | null;
  readonly dryRun: boolean;
  readonly takeDomain: boolean;
}

export interface Io extends SmokeTestIo {
  readonly env: NodeJS.ProcessEnv;
  readonly run: typeof run;
  /** Whether there's a person at the terminal for wrangler to ask. */
  readonly isInteractive: boolean;
}

type Target = ReturnType<typeof readTarget>;

/** What to deploy: an environment of wrangler.toml with settings from the shell. @throws UsageError for invalid ones */
export function readTarget({ environment, config }: Pick<Options, "environment" | "config">, env: NodeJS.ProcessEnv) {
  const bound = readEnvironment(environment, config);
  // GitHub passes unset variables as empty strings.
  const overrides = SETTINGS.map((name) => [name, env[name]]).filter(([, value]) => value);
  const all: Record<string, unknown> = { ...bound.vars, ...Object.fromEntries(overrides) };
  const settings = Object.fromEntries(Object.entries(all).map(([name, value]) => [name, String(value)]));
  const { JURISDICTION: jurisdiction } = settings;
  const { D1_LOCATION: location } = env;
  return {
    environment,
    config,
    worker: bound.name!,
    accountId: bound.account_id ?? env["CLOUDFLARE_ACCOUNT_ID"],
    resources: resourcesOf(bound),
    settings,
    bindsEmail: bound.send_email.some(({ name }) => name === "SEND_EMAIL"),
    jurisdiction: jurisdiction ? oneOf("JURISDICTION", JURISDICTIONS, jurisdiction) : null,
    location: location ? oneOf("D1_LOCATION", LOCATIONS, location) : null,
    /** Hosts that a deployment makes lead to the worker. */
    domains: [bound.routes ?? [], bound.route ?? []]
      .flat()
      .flatMap((route) => (typeof route === "object" && route.custom_domain ? [route.pattern] : [])),
    folder: join(dirname(config), "build/deploy"),
    secretsFile: join(dirname(config), `secrets-${environment}.json`),
  };
}

/** The plan: a title for each step of `deploy`, and what it does. */
function planOf(
  { environment, resources, domains, jurisdiction, location, secretsFile }: Target,
  only: Options["only"],
): readonly string[] {
  const { queues, database, namespace } = resources;
  const place = jurisdiction === null ? (location ?? "near this machine, as D1_LOCATION isn't set") : jurisdiction;
  return [
    `Ask the account, before anything is created
wrangler auth token, deployments status, secret list, d1 list, kv namespace list
Cloudflare's API: the workers.dev subdomain${domains.map((host) => `, the zone of ${host} and where it leads`).join("")}`,
    `Build the site and the worker, into build/deploy
npm run build, wrangler deploy --dry-run${only === "release" ? "; this was done before" : ""}`,
    `Create if missing; none of it can be moved later. Queues keep messages for 14 days
queues ${queues.join(", ")}
database ${database.database_name} (${place})
KV namespace ${namespace.title}
jurisdiction of all of these, and of usage: ${jurisdiction ?? "none, as JURISDICTION isn't set"}`,
    `Migrate the database, before any code that needs it\nwrangler d1 migrations apply ${database.binding} --remote`,
    `Deploy, with SESSION_SECRET and TRIAL_SECRET if the worker has none
wrangler deploy to ${environment}; secrets that the shell doesn't give are generated, and written to ${secretsFile} for you to keep`,
    `Test every address: health, landing page, a lookup in the demo, an unknown key
DNS and the certificate of a new address may take ${ADDRESS_MINUTES} minutes. If a test fails, the command that goes back is printed${domains.map((host) => `\n${host} then asks browsers for https on it and all its subdomains, for a year; nobody can take that back`).join("")}`,
  ];
}

/** The parts of an environment in wrangler.toml that a deployment changes. */
interface RawConfig {
  readonly main: string;
  readonly assets: object;
  readonly d1_databases: readonly { readonly migrations_dir: string }[];
  readonly kv_namespaces: readonly object[];
}

/** Writes a wrangler configuration of this environment alone, with the deployment's site, settings, and ids. */
function writeConfig(target: Target, account: string | undefined, ids: Awaited<ReturnType<typeof idsOf>> | null): void {
  const { config, environment, folder, settings } = target;
  const { rawConfig } = experimental_readRawConfig({ config });
  const { env, ...top } = rawConfig as unknown as RawConfig & { env: Record<EnvironmentName, Partial<RawConfig>> };
  const raw = { ...top, ...env[environment] };
  const from = (path: string) => resolve(dirname(config), path);
  const databases = raw.d1_databases.map((database) => ({
    ...database,
    migrations_dir: from(database.migrations_dir),
    database_id: ids?.database,
  }));
  const written = {
    ...raw,
    account_id: account,
    main: from(raw.main),
    assets: { ...raw.assets, directory: join(folder, "site/client") },
    vars: settings,
    d1_databases: databases,
    kv_namespaces: raw.kv_namespaces.map((namespace) => ({ ...namespace, id: ids?.namespace })),
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "wrangler.json"), JSON.stringify(written, null, 2));
}

interface Share {
  readonly version_id: string;
  readonly percentage: number;
}

/** The deployed versions, the one with the most traffic first; empty before the first deployment. */
async function readShares(wrangler: Wrangler): Promise<readonly Share[]> {
  const status = await wrangler.find(["deployments", "status", "--json"], /\[code: 10007\]|has no deployments/);
  const { versions } = status === null ? { versions: [] } : parseOutput<{ versions: Share[] }>(status);
  return versions.toSorted((a, b) => b.percentage - a.percentage);
}

/**
 * The secrets that the worker lacks: the shell's, else those generated before, else new ones, which are written to a
 * file. Existing ones stay: a new session secret would log everyone out, and a new trial secret would give everyone
 * another trial.
 * @param present the worker's secrets
 * @throws Error for a session secret that is too short, and in CI, where a file would be lost
 */
function missingSecrets({ settings, secretsFile }: Target, present: readonly string[], env: NodeJS.ProcessEnv) {
  const missing = ["SESSION_SECRET", "TRIAL_SECRET"].filter((name) => !present.includes(name));
  const kept = existsSync(secretsFile) ? (JSON.parse(readFileSync(secretsFile, "utf8")) as Record<string, string>) : {};
  const generated = Object.fromEntries(
    missing.filter((name) => !env[name]).map((name) => [name, kept[name] ?? randomBytes(32).toString("base64url")]),
  );
  const needsKey = settings["MAIL_DRIVER"] === "resend" && !present.includes("RESEND_API_KEY");
  const given = [...missing, ...(needsKey ? ["RESEND_API_KEY"] : [])].filter((name) => env[name]);
  const secrets = { ...generated, ...Object.fromEntries(given.map((name) => [name, env[name]!])) };
  if (missing.includes("SESSION_SECRET")) parseConfig(secrets);
  const names = Object.keys(generated);
  if (names.length > 0 && env["CI"]) {
    throw new Error(`The worker lacks ${names.join(" and ")}. In CI, set them: generated secrets would be lost.`);
  }
  if (names.length > 0)
    writeFileSync(secretsFile, `${JSON.stringify({ ...kept, ...generated }, null, 2)}\n`, { mode: 0o600 });
  return { secrets };
}

/** Finds out what is there, and stops if something is in the way. Creates nothing. */
async function askAccount(target: Target, takeDomain: boolean, wrangler: Wrangler, io: Io) {
  const { resources, worker, domains, jurisdiction } = target;
  writeConfig(target, target.accountId, null);
  const ask = await openApi(wrangler, io);
  const account = target.accountId ?? (await onlyAccount(ask));
  writeConfig(target, account, null);

  const previous = await readShares(wrangler);
  const secretList = ["secret", "list", "--format", "json"];
  const present = previous.length === 0 ? [] : await wrangler.read<{ name: string }[]>(secretList);
  const ids = await idsOf(resources, wrangler.read);
  if (ids.database !== undefined && ids.jurisdiction !== jurisdiction) {
    throw new Error(`The database was created ${ids.jurisdiction === null ? "without a jurisdiction" : `in the jurisdiction ${ids.jurisdiction}`}, where it stays.
With another, every account's usage would start again. Set JURISDICTION=${ids.jurisdiction ?? ""}`);
  }
  await ask(`/accounts/${account}/workers/subdomain`);
  for (const host of domains) {
    await checkZone(host, account, ask);
    // Where wrangler can't ask, it repoints whatever the domain leads to.
    const owner = io.isInteractive || takeDomain ? null : await otherOwner(host, { account, worker }, { ...io, ask });
    if (owner === null) continue;
    throw new Error(`${host} leads to ${owner}, and the deployment would take it over, which a rollback doesn't undo.
If you want that, add --take-domain, or run this in a terminal, where wrangler asks.`);
  }
  const names = present.map(({ name }) => name);
  return { account, previous, ids, ...missingSecrets(target, names, io.env) };
}

/** What a build must not see: Cloudflare's variables, and anything named like a secret. */
const PRIVATE = /^(?:CLOUDFLARE|CF)_|(?:^|_)(?:TOKEN|SECRET|KEY|PASSWORD)(?:_NEXT)?$/i;

/** Builds what a release uploads: the site, and the worker in one file beside its data. */
async function build(target: Target, wrangler: Wrangler, { env, run: start }: Io): Promise<void> {
  const { settings, folder } = target;
  const { PUBLIC_ORIGIN } = settings;
  const visible = Object.fromEntries(Object.entries(env).filter(([name]) => !PRIVATE.test(name)));
  const site = join(folder, "site");
  rmSync(site, { recursive: true, force: true });
  const { code, stdout, stderr } = await start("npm", ["run", "build"], {
    env: { ...visible, ...(PUBLIC_ORIGIN !== undefined && { PUBLIC_ORIGIN }), SITE_BUILD_DIRECTORY: site },
  });
  if (code !== 0) throw new Error(`npm run build failed:\n${stdout}${stderr}`);
  // A release uploads every module in this folder.
  rmSync(workerFolder(target), { recursive: true, force: true });
  await wrangler.call(["deploy", "--dry-run", "--outdir", workerFolder(target)]);
}

/**
 * Removes all but the site and the worker from what another job built: wrangler would follow an `.env` beside its
 * configuration, such as to another API with the token. @throws Error if nothing was built
 */
function keepBuilt(target: Target): void {
  if (!existsSync(join(workerFolder(target), "index.js"))) {
    throw new Error("There is no worker in build/deploy. Run this first: npm run deploy -- --only build");
  }
  for (const name of readdirSync(target.folder)) {
    if (name !== "site" && name !== "worker") rmSync(join(target.folder, name), { recursive: true });
  }
}

function workerFolder({ folder }: Target): string {
  return join(folder, "worker");
}

type Facts = Awaited<ReturnType<typeof askAccount>>;

async function createMissing(target: Target, { account, ids }: Facts, wrangler: Wrangler): Promise<void> {
  const { resources, jurisdiction, location } = target;
  const { queues, database, namespace } = resources;
  const inJurisdiction = jurisdiction === null ? [] : ["--jurisdiction", jurisdiction];
  for (const queue of queues) {
    const isThere = (await wrangler.find(["queues", "update", queue, RETENTION], /does not exist/)) !== null;
    if (!isThere) await wrangler.call(["queues", "create", queue, RETENTION, ...inJurisdiction]);
  }
  if (ids.database === undefined) {
    const place = jurisdiction === null && location !== null ? ["--location", location] : inJurisdiction;
    await wrangler.call(["d1", "create", database.database_name, ...place, "--update-config=false"]);
  }
  if (ids.namespace === undefined) {
    await wrangler.call(["kv", "namespace", "create", namespace.title, ...inJurisdiction, "--update-config=false"]);
  }
  writeConfig(target, account, await idsOf(resources, wrangler.read));
}

/** The address in a line such as "https://checkline.name.workers.dev" or "example.com (custom domain)", if any. */
function originOf(target: string): readonly string[] {
  const domain = /^([\w.-]+) \(custom domain/.exec(target)?.[1];
  if (domain !== undefined) return [`https://${domain}`];
  return target.startsWith("https://") ? [new URL(target).origin] : [];
}

/**
 * Deploys the worker and the site together with secrets, so that no version runs without them. They pass through a
 * file, because every user of the machine can see a command line. wrangler gets the terminal, for its questions.
 * @returns the new version and its addresses, that at workers.dev first
 */
async function release(
  target: Target,
  secrets: Readonly<Record<string, string>>,
  wrangler: Wrangler,
  { env, isInteractive }: Io,
) {
  const scratch = mkdtempSync(join(tmpdir(), "checkline-deploy-"));
  // Who set one of these variables reads the file too.
  const folder = env["WRANGLER_OUTPUT_FILE_DIRECTORY"] || scratch;
  const output = env["WRANGLER_OUTPUT_FILE_PATH"] || join(folder, "wrangler-output-checkline.json");
  const secretsFile = join(scratch, "secrets.json");
  try {
    writeFileSync(secretsFile, JSON.stringify(secrets), { mode: 0o600 });
    const args = Object.keys(secrets).length > 0 ? ["--secrets-file", secretsFile] : [];
    const own = { WRANGLER_OUTPUT_FILE_PATH: output, CI: String(!isInteractive) };
    const worker = join(workerFolder(target), "index.js");
    const built = ["--no-bundle", "--minify=false", worker];
    await wrangler.call(["deploy", ...built, ...args], { env: own, terminal: true });
    const lines = readFileSync(output, "utf8").trim().split("\n");
    const entries = lines.map((line) => JSON.parse(line) as { type: string; version_id?: string; targets?: string[] });
    const entry = entries.findLast(({ type }) => type === "deploy");
    if (!entry?.version_id) throw new Error("wrangler deploy ended without a new version.");
    const origins = (entry.targets ?? []).flatMap(originOf);
    const [first, others] = [true, false].map((is) => origins.filter((each) => each.endsWith(".workers.dev") === is));
    return { version: entry.version_id, origins: [...first!, ...others!] };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** What is deployed after a release that failed, or whose test did, and the one command that goes back. */
async function afterRelease(
  { environment }: Target,
  previous: readonly Share[],
  { passed, reason }: { readonly passed: string | undefined; readonly reason: string },
  wrangler: Wrangler,
): Promise<string> {
  const flag = `--env=${environment}`;
  const now = await readShares(wrangler).catch(() => null);
  if (now === null) return `See what is deployed: npx wrangler deployments status ${flag}`;
  if (JSON.stringify(now) === JSON.stringify(previous)) return NOTHING_DEPLOYED;
  if (passed !== undefined) return `The new version is deployed and passed at ${passed}; going back would not help.`;
  const [before] = previous;
  if (before === undefined) {
    return `The new version is deployed. It is the first: the next run replaces it, and this removes it:
npx wrangler delete ${flag}`;
  }
  // Cloudflare keeps 100 bytes of a reason.
  const message = reason.replaceAll(/[^\w .,:/-]+/g, " ").slice(0, 100);
  return `The new version is deployed. This goes back; migrations, crons, queue consumers, and addresses stay:
npx wrangler rollback ${before.version_id} ${flag} --yes --message "${message}"`;
}

const NOTHING_DEPLOYED = "Nothing was deployed. The next run uses what this one created.";

/** The service's addresses, and what is left to do. */
function nextSteps(
  target: Target,
  { origins, problems }: Readonly<Record<"origins" | "problems", readonly string[]>>,
  env: NodeJS.ProcessEnv,
): string {
  const { environment, settings, secretsFile, domains, bindsEmail } = target;
  const { PUBLIC_ORIGIN } = settings;
  const flag = `--env=${environment}`;
  const remote = environment === "production" ? "--remote" : `--remote --env ${environment}`;
  const todo = [...problems];
  // Also when an earlier run wrote it, and failed.
  if (existsSync(secretsFile)) {
    const names = Object.keys(JSON.parse(readFileSync(secretsFile, "utf8")) as object).join(" and ");
    const text = `Keep ${names} with your passwords: they can't be read back. They are in ${secretsFile}, which you should delete then.`;
    todo.push(text);
  }
  if (settings["MAIL_DRIVER"] === "cloudflare" && !bindsEmail) {
    todo.push("MAIL_DRIVER is cloudflare, but wrangler.toml has no send_email binding SEND_EMAIL.");
  }
  if (PUBLIC_ORIGIN !== undefined && !origins.includes(PUBLIC_ORIGIN)) {
    todo.push(`${PUBLIC_ORIGIN}, the PUBLIC_ORIGIN, was not tested. Make sure that it leads to this worker.`);
  }
  todo.push(...withoutOperator(target, env));
  for (const host of domains) todo.push(`See what the zone stops: npm run admin -- health --public https://${host}`);
  return `
Deployed: ${origins.join(", ")}
Sign up at ${PUBLIC_ORIGIN ?? origins[0]}/register, or without email: npm run admin -- create EMAIL ${remote}
Logs: npx wrangler tail ${flag}
Operating it, and the first day's checklist: docs/runbook.md
${todo.length === 0 ? "" : `\nLeft to do:\n${todo.map((text) => `  - ${text}\n`).join("")}`}`;
}

function withoutOperator({ environment }: Target, env: NodeJS.ProcessEnv): string[] {
  if (env["OPERATOR"] || environment !== "production") return [];
  return ["Deploy with OPERATOR, your name and address: many countries require them in the privacy policy."];
}

const AFTER_DRY_RUN = `
Nothing was started or changed.
No deployment has been tried on a live account yet: docs/runbook.md, "Not tried yet", says what to watch.
`;

/**
 * Deploys. A failure before the release changes nothing that users see. Nothing is undone after it; the error says what
 * is deployed and how to go back.
 * @throws UsageError for invalid settings; Error with the failure and the current state
 */
export async function deploy({ only, dryRun, takeDomain, ...options }: Options, io: Io): Promise<void> {
  const target = readTarget(options, io.env);
  const plan = planOf(target, only).map((step, index) => `\n${index + 1}. ${step.replaceAll("\n", "\n     ")}\n`);
  if (dryRun) {
    const missing = withoutOperator(target, io.env).map((text) => `\n${text}\n`);
    return io.print(`Dry run of deploying ${target.worker}\n${plan.join("")}${missing.join("")}${AFTER_DRY_RUN}`);
  }
  const wrangler = wranglerFor(["--config", join(target.folder, "wrangler.json"), "--env="], io);
  if (only === "build") {
    writeConfig(target, target.accountId, null);
    io.print(`Building ${target.worker}\n`);
    return build(target, wrangler, io);
  }
  if (only === "release") keepBuilt(target);
  let stateOf = async (_reason: string) => "Nothing was deployed, and nothing was changed.";
  try {
    io.print(`Deploying ${target.worker}\n${plan[0]}`);
    const facts = await askAccount(target, takeDomain, wrangler, io);
    io.print(plan[1]!);
    if (only !== "release") await build(target, wrangler, io);

    stateOf = async () => NOTHING_DEPLOYED;
    io.print(plan[2]!);
    await createMissing(target, facts, wrangler);
    io.print(plan[3]!);
    await wrangler.call(["d1", "migrations", "apply", target.resources.database.binding, "--remote"]);

    let passed: string | undefined;
    stateOf = (reason) => afterRelease(target, facts.previous, { passed, reason }, wrangler);
    io.print(plan[4]!);
    const { version, origins } = await release(target, facts.secrets, wrangler, io);
    io.print(plan[5]!);
    if (origins.length === 0) throw new Error("wrangler reports no address to test.");
    let problems: readonly string[] = [];
    let minutes = facts.previous.length === 0 ? 2 : 1;
    for (const origin of origins) {
      problems = await smokeTest({ origin, version, minutes }, io);
      passed ??= origin;
      // What has passed somewhere can only fail for its address.
      minutes = ADDRESS_MINUTES;
    }
    io.print(nextSteps(target, { origins, problems }, io.env));
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`${message}\n\n${await stateOf(message)}`, { cause: error });
  }
}

/** Runs the command. @param args without the program's name @throws as `deploy` */
export async function main(args: readonly string[], io: Io): Promise<void> {
  const { values } = parseArguments({
    args: [...args],
    options: {
      env: { type: "string", default: ENVIRONMENTS[0] },
      only: { type: "string" },
      "take-domain": { type: "boolean", default: false },
      "dry-run": { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return io.print(USAGE);
  const environment = oneOf("--env", ENVIRONMENTS, values.env);
  const only = values.only === undefined ? null : oneOf("--only", PARTS, values.only);
  const { "dry-run": dryRun, "take-domain": takeDomain } = values;
  await deploy({ environment, config: CONFIG, only, dryRun, takeDomain }, io);
}

if (import.meta.main) {
  const controller = new AbortController();
  const { signal } = controller;
  // The terminal sends Ctrl-C to a running wrangler too, which decides itself what to finish.
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => controller.abort(new Error(`Stopped by ${name}.`)));
  }
  const io: Io = {
    env: process.env,
    print: (text) => void process.stdout.write(text),
    run: async (...args) => {
      signal.throwIfAborted();
      const result = await run(...args);
      signal.throwIfAborted();
      return result;
    },
    fetch: (input, init) =>
      fetch(input, { ...init, signal: AbortSignal.any([signal, ...(init?.signal ? [init.signal] : [])]) }),
    sleep: (ms) => sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted()),
    isInteractive: Boolean(process.stdin.isTTY && process.stdout.isTTY && !process.env["CI"]),
  };
  await runMain(() => main(process.argv.slice(2), io), { usage: USAGE });
}
