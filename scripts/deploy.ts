/** Deploys Checkline to Cloudflare with wrangler: `npm run deploy`. `deploy` has the steps in order. */
import { existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ENVIRONMENTS, oneOf, parseArguments, runMain } from "./arguments.ts";
import type { EnvironmentName } from "./arguments.ts";
import { findResources, openAccount } from "./cloudflare.ts";
import { askAccount, createMissing } from "./deploy/account.ts";
import { NOTHING_DEPLOYED, readShares, release, stateAfter } from "./deploy/release.ts";
import { missingSecrets, secretsToKeep } from "./deploy/secrets.ts";
import { smokeTest } from "./deploy/smoke-test.ts";
import type { SmokeTestIo } from "./deploy/smoke-test.ts";
import { readTarget, writeConfig } from "./deploy/target.ts";
import type { Target } from "./deploy/target.ts";
import { CONFIG } from "./wrangler-config.ts";
import { run, wranglerFor } from "./wrangler.ts";
import type { Wrangler } from "./wrangler.ts";

const USAGE = `Usage: npm run deploy -- [--env production|staging] [--only build|release] [--take-domain] [--dry-run]

  --env          the environment of wrangler.toml; default: production
  --only         build: builds the site and the worker into build/deploy, without an account; release: deploys these. Both need
                 the same settings. In CI, only release is given the token, and runs no dependency but wrangler
  --take-domain  lets the deployment take over a custom domain that leads elsewhere
  --dry-run      prints what would be done, and changes nothing

Settings come from the environment's vars in wrangler.toml. These variables of the shell override them: PUBLIC_ORIGIN,
MAIL_DRIVER, MAIL_FROM, BREACH_CHECK, MAIL_PER_HOUR, MAIL_PER_DAY, JURISDICTION. D1_LOCATION and JURISDICTION say where data is created, for good.
OPERATOR is named in the privacy policy. SESSION_SECRET, TRIAL_SECRET and RESEND_API_KEY are uploaded only when the
worker has none.
`;

const PARTS = ["build", "release"] as const;

/** How long a new version may take to respond, then how long DNS and the certificate of a domain, in minutes. */
const PATIENCE = { version: 3, domain: 15 };

export interface Options {
  readonly environment: EnvironmentName;
  /** The path of wrangler.toml. */
  readonly config: string;
  /** Null for everything. */
  readonly only: (typeof PARTS)[number] | null;
  readonly dryRun: boolean;
  readonly takeDomain: boolean;
}

export interface Io extends SmokeTestIo {
  readonly env: NodeJS.ProcessEnv;
  readonly run: typeof run;
}

/** What a deployment does, for people: above all what can't be undone. */
function describe(
  { worker, resources, domains, jurisdiction, location, secretsFile }: Target,
  { OPERATOR }: NodeJS.ProcessEnv,
): string {
  const { queues, database, namespace } = resources;
  return `Deploying ${worker}: ask the account, build, create what is missing, migrate, upload, test every address

Created if missing, and never moved
  jurisdiction: ${jurisdiction ?? "none, as JURISDICTION isn't set"}
  database ${database.database_name}: ${jurisdiction ?? location ?? "near this machine, as D1_LOCATION isn't set"}
  KV namespace ${namespace.title}, queues ${queues.join(", ")}
Secrets that this generates: ${secretsFile}
Named in the privacy policy: ${OPERATOR || "nobody, as OPERATOR isn't set; many countries require it"}
${domains.map((host) => `${host}: browsers insist on https for it and its subdomains, for a year after a visit\n`).join("")}
`;
}

/** What a build must not see: Cloudflare's variables, and anything named like a secret. */
const PRIVATE = /^(?:CLOUDFLARE|CF)_|(?:^|_)(?:TOKEN|SECRET|KEY|PASSWORD)(?:_NEXT)?$/i;

/** Builds what a release uploads: the site, and the worker in one file beside its data. */
async function build({ settings, site, workerFolder }: Target, wrangler: Wrangler, io: Io): Promise<void> {
  const { PUBLIC_ORIGIN } = settings;
  const visible = Object.fromEntries(Object.entries(io.env).filter(([name]) => !PRIVATE.test(name)));
  const env = { ...visible, ...(PUBLIC_ORIGIN !== undefined && { PUBLIC_ORIGIN }), SITE_BUILD_DIRECTORY: site };
  rmSync(dirname(site), { recursive: true, force: true });
  const { code, stdout, stderr } = await io.run("npm", ["run", "build"], env);
  if (code !== 0) throw new Error(`npm run build failed:\n${stdout}${stderr}`);
  await wrangler(["deploy", "--dry-run", "--outdir", workerFolder]);
}

/** The service's addresses, and what is left to do. @param problems what health says is missing from the settings */
function nextSteps(
  { environment, settings, secretsFile }: Target,
  origins: readonly string[],
  problems: readonly string[],
): string {
  const remote = environment === "production" ? "--remote" : `--remote --env ${environment}`;
  const todo = [...problems, ...secretsToKeep(secretsFile)];
  return `
Deployed: ${origins.join(", ")}
Sign up at ${settings["PUBLIC_ORIGIN"] ?? origins[0]}/register, or without email: npm run admin -- create EMAIL ${remote}
Operating it, and the first day's checklist: docs/runbook.md
${todo.length === 0 ? "" : `\nLeft to do:\n${todo.map((text) => `  - ${text}\n`).join("")}`}`;
}

/**
 * Deploys. A failure before the release changes nothing that users see. Nothing is undone after it; the error says what
 * is deployed and how to go back.
 * @throws UsageError for invalid settings; Error with the failure and the current state
 */
export async function deploy({ only, dryRun, takeDomain, ...options }: Options, io: Io): Promise<void> {
  const target = readTarget(options.environment, options.config, io.env);
  io.print(describe(target, io.env));
  if (dryRun) return;
  const wrangler = wranglerFor(["--config", target.ownConfig, "--env="], io);
  writeConfig(target, { account: target.accountId });
  if (only === "build") return build(target, wrangler, io);
  if (only === "release" && !existsSync(join(target.workerFolder, "index.js"))) {
    throw new Error("There is no worker in build/deploy. Run this first: npm run deploy -- --only build");
  }
  let state = async (_reason: string) => "Nothing was deployed, and nothing was changed.";
  try {
    const account = await openAccount(target.accountId, wrangler, io);
    writeConfig(target, { account: account.id });
    const { before, found, origins, present } = await askAccount({ ...target, takeDomain }, account, io);
    const secrets = missingSecrets(target.secretsFile, present, io.env);
    if (only === null) {
      io.print("Building\n");
      await build(target, wrangler, io);
    }

    state = async () => NOTHING_DEPLOYED;
    io.print("Creating what is missing, and migrating\n");
    await createMissing(target, found, account, wrangler);
    writeConfig(target, { account: account.id, ...(await findResources(target.resources, account)) });
    await wrangler(["d1", "migrations", "apply", target.resources.database.binding, "--remote"]);

    let passed: string | undefined;
    state = async (reason) => {
      const now = await readShares(target.worker, account).catch(() => null);
      if (now === null) return `See what is deployed: npx wrangler deployments status --env=${target.environment}`;
      return stateAfter(target, { before, now }, { reason, passed });
    };
    io.print("Uploading\n");
    const version = await release(target, secrets, wrangler);
    let problems: readonly string[] = [];
    for (const origin of origins) {
      // What has passed somewhere can only fail for its address.
      const minutes = passed === undefined ? PATIENCE.version : PATIENCE.domain;
      io.print(`Testing ${origin}, for at most ${minutes} minutes\n`);
      problems = await smokeTest({ origin, version, minutes }, io);
      passed ??= origin;
    }
    io.print(nextSteps(target, origins, problems));
  } catch (error) {
    const { message } = error as Error;
    const said = [message, await state(message), ...secretsToKeep(target.secretsFile)];
    throw new Error(said.join("\n\n"), { cause: error });
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
  // The terminal sends Ctrl-C to a running wrangler too, whose failure ends the deployment with its state.
  const stopped = new AbortController();
  process.on("SIGINT", () => stopped.abort());
  const pause = (ms: number) => sleep(ms, undefined, stopped);
  const io: Io = { env: process.env, print: (text) => void process.stdout.write(text), run, fetch, sleep: pause };
  await runMain(() => main(process.argv.slice(2), io), { usage: USAGE });
}
