import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EnvironmentName } from "../arguments.ts";
import { idsOf } from "../wrangler-config.ts";
import { ERASE, plainHttpProblem, smokeTest, temporaryAccount } from "./smoke-test.ts";
import { BUILT_CONFIG, checkSettings, FOLDER, readTarget, SITE, writeConfig } from "./target.ts";
import type { Target } from "./target.ts";
import { run, wranglerFor } from "../wrangler.ts";
import type { Io, Wrangler } from "../wrangler.ts";

export interface Options {
  /** Null for the top level of wrangler.toml. */
  readonly environment: EnvironmentName | null;
  /** The path of wrangler.toml. */
  readonly config: string;
  /** Contacts no account, and treats every resource as missing. */
  readonly dryRun: boolean;
}

interface Share {
  readonly version_id: string;
  readonly percentage: number;
}

/** The deployed versions, the one with the most traffic first; empty before the first deployment. */
async function readShares(wrangler: Wrangler): Promise<Share[]> {
  const status = await wrangler.find(["deployments", "status", "--json"], /\[code: 10007\]|has no deployments/);
  if (status === null) return [];
  const { versions } = JSON.parse(status.slice(status.search(/^\{/m))) as { versions: Share[] };
  return versions.toSorted((a, b) => b.percentage - a.percentage);
}

/**
 * The secrets that the worker lacks. Existing ones are never replaced: a new session secret would log everyone out, and
 * a new trial secret would give everyone another trial.
 * @param present the worker's secrets
 */
function missingSecrets({ settings }: Target, present: readonly { name: string }[], env: NodeJS.ProcessEnv) {
  const wanted = {
    SESSION_SECRET: env["SESSION_SECRET"] || randomBytes(32).toString("base64url"),
    TRIAL_SECRET: env["TRIAL_SECRET"] || randomBytes(32).toString("base64url"),
    RESEND_API_KEY: settings["MAIL_DRIVER"] === "resend" ? (env["RESEND_API_KEY"] ?? "") : "",
  };
  return Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => value !== "" && present.every((secret) => secret.name !== name)),
  );
}

/** What a build must not see: Cloudflare's variables, and anything named like a secret. */
const PRIVATE = /^(?:CLOUDFLARE|CF)_|(?:^|_)(?:TOKEN|SECRET|KEY|PASSWORD)(?:_NEXT)?$/i;

async function buildSite({ settings }: Target, { env, print, stopped }: Io): Promise<void> {
  const { PUBLIC_ORIGIN } = settings;
  const visible = Object.fromEntries(Object.entries(env).filter(([name]) => !PRIVATE.test(name)));
  print("    npm run build\n");
  const { code, stdout, stderr } = await run("npm", ["run", "build"], {
    env: { ...visible, ...(PUBLIC_ORIGIN !== undefined && { PUBLIC_ORIGIN }), SITE_BUILD_DIRECTORY: SITE },
    signal: stopped,
  });
  if (code !== 0) throw new Error(`npm run build failed:\n${stdout}${stderr}`);
}

/**
 * The longest that a queue can keep a message; the default is 4 days. Usage waits there while a ledger is down, and
 * expired messages vanish silently. The worker gives usage up a day earlier (`usageMaxAge`).
 */
const QUEUE_RETENTION = `--message-retention-period-secs=${14 * 86_400}`;

/** Creates what wrangler doesn't create during a deployment: the queues, and the database, which is migrated first. */
async function createResources({ find, call, list }: Wrangler, target: Target): Promise<void> {
  const { queues, database } = target.resources;
  for (const queue of queues) {
    const isThere = (await find(["queues", "update", queue, QUEUE_RETENTION], /does not exist/)) !== null;
    if (!isThere) await call(["queues", "create", queue, QUEUE_RETENTION]);
  }
  let ids = await idsOf(target.resources, list);
  if (ids.database === undefined) {
    await call(["d1", "create", database.database_name, "--update-config=false"]);
    ids = await idsOf(target.resources, list);
  }
  // Includes the namespace's id: a failed first deployment may have left one, which wrangler would try to create again.
  writeConfig(target, ids);
}

/**
 * "https://checkline.name.workers.dev", or the host of "example.com (custom domain)". A route's pattern is not an
 * address.
 */
function originOf(targets: readonly string[]): string | undefined {
  const origins = targets.map(
    (target) => /^https?:\/\/[^/\s]+/.exec(target)?.[0] ?? target.replace(/^([\w.-]+) \(custom domain.*/, "https://$1"),
  );
  return origins.find((origin) => URL.canParse(origin));
}

/**
 * Deploys the worker and the site.
 * @param secrets uploaded with the version, so that no version runs without them
 * @param scratch a folder for files that only this user can read; every user of the machine can see a command line
 */
async function release(wrangler: Wrangler, secrets: Readonly<Record<string, string>>, scratch: string) {
  const [secretsFile, output] = [join(scratch, "secrets.json"), join(scratch, "output.ndjson")];
  writeFileSync(secretsFile, JSON.stringify(secrets), { mode: 0o600 });
  const args = Object.keys(secrets).length > 0 ? ["--secrets-file", secretsFile] : [];
  await wrangler.call(["deploy", ...args], { WRANGLER_OUTPUT_FILE_PATH: output });
  const entry = readFileSync(output, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { type: string; version_id?: string; targets?: string[] })
    .find(({ type }) => type === "deploy");
  if (!entry?.version_id) throw new Error("wrangler deploy did not report the version it created.");
  return { version: entry.version_id, origin: originOf(entry.targets ?? []) };
}

/** The service's address, how to get in, and what is left to do. */
function nextSteps(
  { environment, settings, flag }: Target,
  origin: string,
  { sendsEmail, problems }: ReturnType<typeof checkSettings>,
  env: NodeJS.ProcessEnv,
): string {
  const { PUBLIC_ORIGIN: configured = origin } = settings;
  const todo = [...problems];
  if (configured !== origin)
    todo.push(`The smoke test used ${origin}. Make sure that ${configured} leads to this worker.`);
  if (!env["OPERATOR"] && environment !== "staging") {
    todo.push(
      "Deploy with the variable OPERATOR, your name and address: many countries require them in the privacy policy.",
    );
  }
  const vars = environment === null ? "[vars]" : `the vars of [env.${environment}]`;
  const where = `Settings go into ${vars} in wrangler.toml. Secrets: npx wrangler secret put NAME ${flag}`;
  const create = `npm run admin -- create EMAIL --remote${environment === "staging" ? " --env staging" : ""}`;
  return `
Deployed: ${origin}
${sendsEmail ? `Sign up at ${origin}/register` : `Nobody can sign up until email is set up. Create an account with: ${create}`}
Logs: npx wrangler tail ${flag}
Operating it: docs/runbook.md
${todo.length === 0 ? "" : `\nLeft to do:\n${todo.map((text) => `  - ${text}\n`).join("")}${where}\n`}`;
}

/** A deployment's progress. */
interface Progress {
  /** Set before a step begins, since a failed step may be half done. */
  reached: "nothing" | "resources" | "account" | "release";
  /** What was deployed before. */
  previous: readonly Share[];
  origin: string | undefined;
  /** A test key of the temporary account. */
  readonly key: string;
}

/** Rolls back if the traffic has moved. Returns the current state. */
async function undo(wrangler: Wrangler, { flag }: Target, progress: Progress, reason: string, pauseMs: number) {
  const { reached, previous, origin, key } = progress;
  if (reached === "nothing") return "Nothing was deployed, and nothing was changed.";
  const nothing = "Nothing was deployed. The next run uses the queues and the database that this one created.";
  if (reached !== "release") return nothing;
  const version = previous[0]?.version_id;
  try {
    if (JSON.stringify(await readShares(wrangler)) === JSON.stringify(previous)) return nothing;
    if (version === undefined) {
      return `This was the first deployment, so there is no version to roll back to. The next run replaces what was deployed.
To remove it: npx wrangler delete ${flag}`;
    }
    const message = `Rolled back: ${reason.replaceAll(/\s+/g, " ")}`.slice(0, 300);
    await wrangler.call(["rollback", version, "--yes", "--message", message]);
  } catch (error) {
    return `Rolling back failed: ${(error as Error).message}
Check what is deployed with: npx wrangler deployments status ${flag}
Roll back with: npx wrangler rollback ${version ?? ""} ${flag}`;
  }
  const outcome =
    origin === undefined
      ? "It was not tested, because its address is unknown."
      : await smokeTest({ origin, version, key, tries: TRIES, pauseMs }).then(
          () => "It passes the smoke test.",
          (error: Error) => `It fails the smoke test too: ${error.message}.`,
        );
  return `Rolled back to version ${version}. ${outcome}
Migrations, crons, queue consumers, and addresses stay as this deployment left them.`;
}

/** For a minute, twice that for an address that may be new. */
const TRIES = 12;

/**
 * Deploys. A failure before the release changes nothing that users see; a later one rolls the release back.
 * @throws Error with the failure and the current state
 */
export async function deploy({ environment, config, dryRun }: Options, io: Io): Promise<void> {
  const { env, print, stopped, pauseMs } = io;
  const target = readTarget(environment, config, env);
  const { binding } = target.resources.database;
  const wrangler = wranglerFor(["--config", BUILT_CONFIG, target.flag], io, dryRun);
  const execute = (sql: string) => wrangler.call(["d1", "execute", binding, "--remote", "--yes", "--command", sql]);
  const scratch = mkdtempSync(join(tmpdir(), "checkline-deploy-"));
  const { key, sql } = temporaryAccount();
  let result = "\nThe dry run passed. No account was contacted, and nothing was changed.\n";
  const progress: Progress = { reached: "nothing", previous: [], origin: target.settings["PUBLIC_ORIGIN"], key };

  function step(title: string, reached = progress.reached): void {
    stopped.throwIfAborted();
    progress.reached = reached;
    print(`  ${title}\n`);
  }

  try {
    print(`\n${dryRun ? "Dry run of deploying" : "Deploying"} ${target.worker}\n\n`);
    rmSync(FOLDER, { recursive: true, force: true });
    writeConfig(target, { database: undefined, namespace: undefined });

    step("Read what is deployed");
    progress.previous = await readShares(wrangler);
    const first = progress.previous.length === 0;
    const present = first ? [] : await wrangler.list<{ name: string }>(["secret", "list", "--format", "json"]);
    const secrets = missingSecrets(target, present, env);
    const settings = checkSettings(target, present, secrets);
    for (const problem of settings.problems) print(`    not set up yet: ${problem}\n`);

    step("Build the site into build/deploy");
    await buildSite(target, io);

    step("Create the queues and the database that are missing", "resources");
    await createResources(wrangler, target);

    step("Migrate the database, before any code that needs it");
    await wrangler.call(["d1", "migrations", "apply", binding, "--remote"]);

    step("Create a temporary account with a test key for the smoke test", "account");
    await execute(sql);

    step("Deploy, with the secrets that are missing", "release");
    if (dryRun) print(await wrangler.call(["deploy", "--dry-run", "--outdir", join(FOLDER, "worker")]));
    const { version, origin } = dryRun ? { version: "", origin: "" } : await release(wrangler, secrets, scratch);
    progress.origin = origin ?? progress.origin;

    step("Smoke test: health, landing page, a verification in the sandbox; roll back if it fails");
    if (!dryRun) {
      if (progress.origin === undefined) throw new Error("wrangler reports no address. Set PUBLIC_ORIGIN.");
      const tries = first ? 2 * TRIES : TRIES;
      await smokeTest({ origin: progress.origin, version, key, tries, pauseMs, signal: stopped });
      const { origin: url } = progress;
      const plain = url.startsWith("https:") ? await plainHttpProblem(url.replace(/^https/, "http")) : null;
      if (plain !== null) settings.problems.push(plain);
      result = nextSteps(target, progress.origin, settings, env);
    }
  } catch (error) {
    const { message } = (stopped.aborted ? stopped.reason : error) as Error;
    const now = dryRun ? "The dry run failed." : await undo(wrangler, target, progress, message, pauseMs);
    throw new Error(`${message}\n\n${now}`, { cause: error });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
    if (progress.reached === "account" || progress.reached === "release") {
      print("  Erase the temporary account\n");
      await execute(ERASE).catch(() => print("  It could not be erased; the next deployment erases it.\n"));
    }
  }
  print(result);
}
