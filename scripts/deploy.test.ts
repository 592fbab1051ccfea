import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createFakeAccount } from "../test/fake-wrangler.ts";
import { longOrShort } from "../test/long.ts";
import { writeProjectConfig } from "../test/wrangler-config.ts";
import { ENVIRONMENTS, UsageError } from "./arguments.ts";
import { deploy, main } from "./deploy.ts";
import type { Io, Options } from "./deploy.ts";
import { ROOT } from "./local/run.ts";
import { run as runProgram } from "./wrangler.ts";

const DOMAIN = "checkline.example.com";
const PLAIN = writeProjectConfig();
const addDomain: Parameters<typeof writeProjectConfig>[0] = ({ env: { production } }) => {
  production.routes = [{ pattern: DOMAIN, custom_domain: true }];
};
const WITH_DOMAIN = writeProjectConfig(addDomain);
/** In the repository, where a build finds its dependencies. */
const IN_REPOSITORY = writeProjectConfig(addDomain, join(ROOT, "build"));
const NOTHING_CHANGED = "Nothing was deployed, and nothing was changed.";
const NOTHING_DEPLOYED = "Nothing was deployed. The next run uses what this one created.";
const HTTPS = "https://checkline.ada.workers.dev";

let account: ReturnType<typeof createFakeAccount>;

function inFolderOf(config: string, file: string): string {
  return join(dirname(config), file);
}

beforeEach(() => {
  account = createFakeAccount();
});
afterEach(() => {
  for (const config of [PLAIN, WITH_DOMAIN]) {
    for (const name of ENVIRONMENTS) rmSync(inFolderOf(config, `secrets-${name}.json`), { force: true });
    rmSync(inFolderOf(config, "build"), { recursive: true, force: true });
  }
});

interface Settings extends Partial<Options> {
  readonly env?: Readonly<Record<string, string>>;
  readonly io?: Partial<Io>;
}

/** Deploys production to the fake account. Returns the exit code, the output, and how long it paused, in minutes. */
async function run({ env = {}, io: changes = {}, ...options }: Settings = {}) {
  const printed: string[] = [];
  let paused = 0;
  const io: Io = {
    env: { PATH: process.env["PATH"], ...env },
    print: (text) => void printed.push(text),
    run: account.run,
    fetch: account.fetch,
    sleep: async (ms) => void (paused += ms),
    isInteractive: false,
    ...changes,
  };
  const all = {
    environment: "production",
    config: PLAIN,
    dryRun: false,
    only: null,
    takeDomain: false,
    ...options,
  } as const;
  const failure = await deploy(all, io).catch((error: Error) => error);
  const output = `${printed.join("")}${failure?.message ?? ""}`;
  return { code: failure === undefined ? 0 : 1, output, minutes: paused / 60_000 };
}

describe("a first deployment", () => {
  test("creates what is missing, migrates before it deploys, and tests the address", async () => {
    const { code, output } = await run();
    expect(code, output).toBe(0);
    expect(account.lines().map((line) => line.replace(/ --secrets-file \S+$/, " --secrets-file FILE"))).toStrictEqual([
      "auth token --json",
      "deployments status --json",
      "d1 list --json",
      "kv namespace list",
      `deploy --dry-run --outdir ${inFolderOf(PLAIN, "build/deploy/worker")}`,
      ...["usage", "mail", "usage-dead", "mail-dead"].flatMap((queue) => [
        `queues update checkline-${queue} --message-retention-period-secs=1209600`,
        `queues create checkline-${queue} --message-retention-period-secs=1209600`,
      ]),
      "d1 create checkline --update-config=false",
      "kv namespace create checkline-edge --update-config=false",
      "d1 list --json",
      "kv namespace list",
      "d1 migrations apply DB --remote",
      `deploy --no-bundle --minify=false ${inFolderOf(PLAIN, "build/deploy/worker/index.js")} --secrets-file FILE`,
    ]);
    expect(account.namespaces).toMatchObject([{ title: "checkline-edge" }]);
    expect(account.versions[0]!.config).toMatchObject({
      name: "checkline",
      account_id: "an-account",
      assets: { directory: inFolderOf(PLAIN, "build/deploy/site/client") },
      d1_databases: [{ database_id: "id-of-checkline" }],
      kv_namespaces: [{ id: account.namespaces[0]!.id }],
    });
    expect(output).toContain(`Deployed: ${HTTPS}\n`);
    expect(output).toContain("  - MAIL_FROM isn't set.\n");
  });

  test("of staging shares nothing with production", async () => {
    expect(await run({ environment: "staging" })).toMatchObject({ code: 0 });
    expect(account.databases.map(({ name }) => name)).toStrictEqual(["checkline-staging"]);
    expect(account.namespaces).toMatchObject([{ title: "checkline-staging-edge" }]);
    for (const queue of account.queues.keys()) expect(queue).toMatch(/^checkline-staging-/);
    expect(account.versions[0]!.config.name).toBe("checkline-staging");
  });

  test("keeps generated secrets in a file for the user alone, and shows no secret", async () => {
    const { output } = await run({ env: { MAIL_DRIVER: "resend", RESEND_API_KEY: "re_secret" } });
    const file = inFolderOf(PLAIN, "secrets-production.json");
    const kept = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(Object.keys(kept)).toStrictEqual(["SESSION_SECRET", "TRIAL_SECRET"]);
    expect(account.versions[0]!.secrets).toStrictEqual({ ...kept, RESEND_API_KEY: "re_secret" });
    expect(output).toContain(`Keep SESSION_SECRET and TRIAL_SECRET with your passwords`);
    expect(output).toContain(file);
    const shown = `${output}${account.commands.map(({ args }) => args.join(" ")).join("\n")}`;
    for (const secret of [...Object.values(kept), "re_secret", "login-token"]) expect(shown).not.toContain(secret);
    // As long as the file is there, such as after a first run that failed once it had uploaded them.
    expect((await run()).output).toContain("Keep SESSION_SECRET and TRIAL_SECRET with your passwords");
    expect(existsSync(/--secrets-file (\S+)/.exec(shown)![1]!)).toBe(false);
  });

  test("that fails leaves secrets that the next run uses", async () => {
    account.fail("deploy --no-bundle", "Upload failed.");
    await run();
    const kept: unknown = JSON.parse(readFileSync(inFolderOf(PLAIN, "secrets-production.json"), "utf8"));
    account.forgive();
    expect(await run()).toMatchObject({ code: 0 });
    expect(account.versions[0]!.secrets).toStrictEqual(kept);
  });

  test("takes secrets from the shell, and in CI only from there", async () => {
    const secrets = { SESSION_SECRET: "s".repeat(32), TRIAL_SECRET: "t".repeat(32) };
    const { output } = await run({ env: { CI: "true", SESSION_SECRET: secrets.SESSION_SECRET } });
    expect(output).toContain("The worker lacks TRIAL_SECRET. In CI, set them");
    expect(output).toContain(NOTHING_CHANGED);
    expect((await run({ env: { SESSION_SECRET: "short" } })).output).toContain("shorter than 32 characters");
    expect(await run({ env: { CI: "true", ...secrets } })).toMatchObject({ code: 0 });
    expect(account.versions[0]!.secrets).toStrictEqual(secrets);
    expect(existsSync(inFolderOf(PLAIN, "secrets-production.json"))).toBe(false);
  });

  test("puts everything in a jurisdiction, for good", async () => {
    const { output } = await run({ env: { JURISDICTION: "eu", D1_LOCATION: "weur" } });
    expect(output).toContain("jurisdiction of all of these, and of usage: eu");
    for (const created of [...account.databases, ...account.namespaces]) expect(created.jurisdiction).toBe("eu");
    for (const args of account.queues.values()) expect(args.join(" ")).toContain("--jurisdiction eu");
    expect(account.versions[0]!.config.vars).toMatchObject({ JURISDICTION: "eu" });
    const later = await run();
    expect(later.output).toContain("The database was created in the jurisdiction eu, where it stays.");
    expect(later.output).toContain(`Set JURISDICTION=eu\n\n${NOTHING_CHANGED}`);
    expect(account.versions).toHaveLength(1);
  });

  test("puts the database where D1_LOCATION says", async () => {
    const { output } = await run({ env: { D1_LOCATION: "apac" } });
    expect(output).toContain("database checkline (apac)");
    expect(account.databases).toMatchObject([{ location: "apac", jurisdiction: null }]);
    expect((await run({ env: { JURISDICTION: "eu" } })).output).toContain("created without a jurisdiction");
  });
});

describe("a later deployment", () => {
  beforeEach(async () => {
    expect(await run()).toMatchObject({ code: 0 });
    rmSync(inFolderOf(PLAIN, "secrets-production.json"));
    account.commands.length = 0;
  });

  test("creates nothing, replaces no secret, and waits for the new version", async () => {
    const [first] = account.versions;
    let left = 2;
    const late = async (...args: Parameters<Io["fetch"]>) =>
      String(args[0]).endsWith("/health") && left-- > 0
        ? Response.json({ version_id: first!.id })
        : account.fetch(...args);
    expect(await run({ io: { fetch: late } })).toMatchObject({ code: 0, minutes: 0.5 });
    expect(account.lines().filter((line) => / create |--secrets-file/.test(line))).toStrictEqual([]);
    expect(account.versions[1]!.secrets).toStrictEqual(first!.secrets);
    expect(account.versions[1]!.config.kv_namespaces).toStrictEqual(first!.config.kv_namespaces);
    expect(existsSync(inFolderOf(PLAIN, "secrets-production.json"))).toBe(false);
  });

  test("uses settings from the shell, and ignores empty ones", async () => {
    const settings = { PUBLIC_ORIGIN: "https://example.com", MAIL_FROM: "Checkline <a@example.com>" };
    const { output } = await run({ env: { ...settings, MAIL_DRIVER: "" } });
    const { vars } = account.versions.at(-1)!.config;
    expect(vars).toMatchObject({ ...settings, ENVIRONMENT: "production" });
    expect(vars).not.toHaveProperty("MAIL_DRIVER");
    expect(account.commands.find(({ name }) => name === "npm")!.env).toMatchObject({
      PUBLIC_ORIGIN: "https://example.com",
    });
    expect(output).toContain("https://example.com, the PUBLIC_ORIGIN, was not tested.");
  });

  test("reads the output file that someone else has asked wrangler for", async () => {
    const folder = mkdtempSync(join(tmpdir(), "checkline-output-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "output.ndjson");
    writeFileSync(file, `${JSON.stringify({ type: "deploy", version_id: "an-earlier-one", targets: [] })}\n`);
    expect(await run({ env: { WRANGLER_OUTPUT_FILE_PATH: file } })).toMatchObject({ code: 0 });
    expect(readFileSync(file, "utf8")).toContain(account.versions.at(-1)!.id);
    expect(await run({ env: { WRANGLER_OUTPUT_FILE_DIRECTORY: folder } })).toMatchObject({ code: 0 });
    expect(existsSync(join(folder, "wrangler-output-checkline.json"))).toBe(true);
  });

  test("that fails its smoke test stays, with the command that goes back", async () => {
    const [first] = account.versions;
    account.at = () => "broken";
    const { code, output, minutes } = await run();
    expect(code).toBe(1);
    expect(minutes).toBe(1);
    expect(output).toContain(
      `${HTTPS}: /api/v1/demo/lookup returns 500 instead of 200\n\nThe new version is deployed.`,
    );
    const [, id, message] = /^npx wrangler rollback (\S+) --env=production --yes --message "(.*)"$/m.exec(output)!;
    expect(id).toBe(first!.id);
    expect(message).toMatch(/returns 500/);
    expect(Buffer.byteLength(message!)).toBeLessThanOrEqual(100);
    expect(account.traffic[0]!.version_id).toBe(account.versions[1]!.id);
    expect(account.lines().some((line) => line.startsWith("rollback"))).toBe(false);
  });

  test("that wrangler finishes only in part says so", async () => {
    account.fail("triggers", "Trigger configuration was only partially updated: “cron” ".repeat(9));
    const { output } = await run();
    expect(output).toContain("only partially updated");
    const [, message] = /--message "(.*)"$/m.exec(output)!;
    expect(Buffer.byteLength(message!)).toBeLessThanOrEqual(100);
  });

  test("stopped while it waits says how to go back, and before the release that nothing is deployed", async () => {
    account.at = () => "broken";
    const sleep = () => Promise.reject(new Error("Stopped by SIGINT."));
    expect((await run({ io: { sleep } })).output).toMatch(/Stopped by SIGINT\.\n\nThe new version is deployed\./);
    const stop = (...args: Parameters<Io["run"]>) =>
      args[0] === "npm" ? Promise.reject(new Error("Stopped by SIGINT.")) : account.run(...args);
    expect((await run({ io: { run: stop } })).output).toContain(`Stopped by SIGINT.\n\n${NOTHING_CHANGED}`);
  });
});

describe("a custom domain", () => {
  test("is waited for after the version has passed at workers.dev", async () => {
    let left = 20;
    account.at = (host) => (host === DOMAIN && left-- > 0 ? (left > 10 ? "ENOTFOUND" : "ERR_TLS") : "ok");
    const { code, output, minutes } = await run({ config: WITH_DOMAIN });
    expect(code, output).toBe(0);
    expect(minutes).toBe(5);
    for (const reason of ["ENOTFOUND", "ERR_TLS"]) {
      const line = `https://${DOMAIN}: no response (${reason}): DNS and the certificate of a new address take a while. Waiting for up to 15 minutes.`;
      expect(output.split(line)).toHaveLength(2);
    }
    expect(output).toContain(`Deployed: ${HTTPS}, https://${DOMAIN}\n`);
    expect(output).toContain(`npm run admin -- health --public https://${DOMAIN}`);
  });

  test("that isn't ready after 15 minutes fails the run, but doesn't suggest going back", async () => {
    account.at = (host) => (host === DOMAIN ? "ERR_TLS" : "ok");
    const { code, output, minutes } = await run({ config: WITH_DOMAIN });
    expect({ code, minutes }).toStrictEqual({ code: 1, minutes: 15 });
    expect(output).toContain(`The new version is deployed and passed at ${HTTPS}; going back would not help.`);
  });

  test.each([
    ["http://another.example", "a server that returns 200"],
    ["another-worker", "the worker another-worker"],
  ])("that leads to %s is taken over only with --take-domain", async (owner, words) => {
    account.hosts.set(DOMAIN, owner);
    const { code, output } = await run({ config: WITH_DOMAIN });
    expect(code).toBe(1);
    expect(output).toContain(`${DOMAIN} leads to ${words}, and the deployment would take it over`);
    expect(output).toContain(NOTHING_CHANGED);
    expect(account.hosts.get(DOMAIN)).toBe(owner);
    expect(account.lines().some((line) => line.includes("create"))).toBe(false);
    expect(await run({ config: WITH_DOMAIN, takeDomain: true })).toMatchObject({ code: 0 });
    expect(await run({ config: WITH_DOMAIN })).toMatchObject({ code: 0 });
  });

  test("that can't be looked up counts as taken", async () => {
    const fetch = (...args: Parameters<Io["fetch"]>) =>
      String(args[0]).startsWith(`https://${DOMAIN}`)
        ? Promise.reject(new TypeError("fetch failed", { cause: { code: "EAI_AGAIN" } }))
        : account.fetch(...args);
    expect((await run({ config: WITH_DOMAIN, io: { fetch } })).output).toContain("leads to an address (EAI_AGAIN)");
  });

  test("is left to wrangler's own question in a terminal, which the release keeps", async () => {
    account.hosts.set(DOMAIN, "http://another.example");
    expect(await run({ config: WITH_DOMAIN, io: { isInteractive: true } })).toMatchObject({ code: 0 });
    const wrangler = account.commands.filter(({ name }) => name === "wrangler");
    const inTerminal = wrangler.filter(({ terminal }) => terminal);
    expect(inTerminal.map(({ args }) => args[0])).toStrictEqual(["deploy"]);
    expect(inTerminal[0]!.env["CI"]).toBe("false");
    for (const { terminal, env } of wrangler) if (!terminal) expect(env["CI"]).toBe("true");
  });

  test("without a zone in the account stops the run before anything is created", async () => {
    account.zones = ["example.org"];
    const { output } = await run({ config: WITH_DOMAIN });
    expect(output).toContain(`This login sees no zone for ${DOMAIN}.`);
    expect(output).toContain("Workers Routes (Edit) for its zone");
    expect(output).toContain(NOTHING_CHANGED);
  });
});

describe("a refusal is explained at once:", () => {
  const permissions = /Workers Scripts, Workers KV Storage,\s+D1, and Queues \(Edit\).+Workers Routes \(Edit\)/s;
  const paid = "Checkline needs the Workers Paid plan";
  test.each([
    ["no login", "auth token", "Not logged in. Please run `wrangler login`.", /npx wrangler login/, NOTHING_CHANGED],
    ["no permission to read", "api", "", permissions, NOTHING_CHANGED],
    ["no permission to create", "d1 create", "Authentication error [code: 10000]", permissions, NOTHING_DEPLOYED],
    [
      "no permission for the domain",
      "deploy --no-bundle",
      "Authentication error [code: 10000]",
      permissions,
      NOTHING_DEPLOYED,
    ],
    [
      "the free plan, by a queue's settings",
      "queues create",
      "The specified queue settings are invalid.",
      paid,
      NOTHING_DEPLOYED,
    ],
    ["the free plan, by the CPU limit", "deploy --no-bundle", "Not supported. [code: 100328]", paid, NOTHING_DEPLOYED],
    ["a failed build", "run build", "", "npm run build failed", NOTHING_CHANGED],
    ["a failed migration", "d1 migrations", "Migration 0001 failed", "Migration 0001 failed\n", NOTHING_DEPLOYED],
  ])("%s", async (_, command, message, reason, state) => {
    account.fail(command, message);
    const { code, output } = await run();
    expect(code).toBe(1);
    if (typeof reason === "string") expect(output).toContain(reason);
    else expect(output).toMatch(reason);
    expect(output.endsWith(`\n\n${state}`)).toBe(true);
    account.forgive();
    expect(await run()).toMatchObject({ code: 0 });
    expect(account.databases).toHaveLength(1);
    expect(account.namespaces).toHaveLength(1);
  });

  test("no workers.dev subdomain", async () => {
    account.subdomain = false;
    const { output } = await run();
    expect(output).toContain("This account has no workers.dev subdomain.");
    expect(output).toContain(NOTHING_CHANGED);
  });

  test("a first version that fails is removed, not rolled back", async () => {
    account.at = () => "broken";
    const { code, output, minutes } = await run();
    expect({ code, minutes }).toStrictEqual({ code: 1, minutes: 2 });
    expect(output).toContain("npx wrangler delete --env=production");
  });
});

test("a build gets no secrets from the shell, and everything else", async () => {
  const secrets = {
    CLOUDFLARE_API_TOKEN: "private",
    CF_API_KEY: "private",
    RESEND_API_KEY: "private",
    SESSION_SECRET: "private-private-private-private-private",
    SESSION_SECRET_NEXT: "private",
    DATABASE_PASSWORD: "private",
  };
  const rest = { OPERATOR: "Ada", KEYBOARD: "us", PUB_CACHE: "/cache" };
  await run({ env: { ...secrets, ...rest } });
  const { env } = account.commands.find(({ name }) => name === "npm")!;
  expect(env).toMatchObject(rest);
  for (const name of Object.keys(secrets)) expect(Object.keys(env)).not.toContain(name);
  expect(account.commands.find(({ name }) => name === "wrangler")!.env).toMatchObject(secrets);
});

describe("a dry run", () => {
  test("prints every step of a deployment, and starts and changes nothing", async () => {
    const dry = await run({ dryRun: true, config: WITH_DOMAIN });
    expect(dry.code).toBe(0);
    expect(account.commands).toStrictEqual([]);
    expect(existsSync(inFolderOf(WITH_DOMAIN, "build"))).toBe(false);
    expect(dry.output.match(/if missing/gi)).toHaveLength(1);
    const real = await run({ config: WITH_DOMAIN });
    const steps = dry.output.split("\n\n").filter((step) => /^\d\. /.test(step));
    expect(steps).toHaveLength(6);
    for (const step of steps) expect(real.output).toContain(step.trimEnd());
    for (const { args } of account.commands) {
      const [command = "", object = ""] = args;
      expect(dry.output).toMatch(new RegExp(command === "queues" ? "queues checkline" : `${command}|${object}`));
    }
  });
});

describe("the command line", () => {
  const io = { env: {}, print: () => {} } as unknown as Io;
  test.each([
    [["--env", "prod"], '--env must be production or staging, not "prod".'],
    [["--gradual"], "Unknown option '--gradual'"],
    [["production"], "Unexpected argument 'production'"],
  ])("%j is rejected", async (args, message) => {
    await expect(main(args, io)).rejects.toThrow(UsageError);
    await expect(main(args, io)).rejects.toThrow(message);
  });

  test.each([
    [{ JURISDICTION: "de" }, 'JURISDICTION must be eu or us or fedramp, not "de".'],
    [{ D1_LOCATION: "paris" }, /^D1_LOCATION must be weur or .* not "paris"\.$/],
  ])("the settings %j are rejected", async (env, message) => {
    await expect(main(["--dry-run"], { ...io, env })).rejects.toThrow(message);
  });
});

test("a program gets the shell's environment, and its errors are both shown and returned", async () => {
  const script = 'console.log(process.env.NAME); console.error("failed"); process.exitCode = 3';
  const result = await runProgram(process.execPath, ["-e", script], { env: { NAME: "Ada" } });
  expect(result).toStrictEqual({ code: 3, stdout: "Ada\n", stderr: "failed\n" });
});

describe("in two parts, as CI deploys", () => {
  const isBuild = (line: string) => line.startsWith("deploy --dry-run");

  test("builds without asking the account, then deploys that without building", async () => {
    expect(await run({ only: "build" })).toMatchObject({ code: 0 });
    expect(account.commands.map(({ name }) => name)).toStrictEqual(["npm", "wrangler"]);
    expect(account.lines().every(isBuild)).toBe(true);
    expect(account.versions).toStrictEqual([]);
    account.commands.length = 0;
    const folder = inFolderOf(PLAIN, "build/deploy");
    writeFileSync(join(folder, ".env"), "CLOUDFLARE_API_BASE_URL=https://evil.example\n");
    mkdirSync(join(folder, ".wrangler"));
    expect(await run({ only: "release" })).toMatchObject({ code: 0 });
    expect(account.commands.every(({ name }) => name === "wrangler")).toBe(true);
    expect(account.lines().some(isBuild)).toBe(false);
    // Built by code that must not direct wrangler.
    for (const name of [".env", ".wrangler"]) expect(existsSync(join(folder, name))).toBe(false);
    expect(account.versions).toHaveLength(1);
  });

  test("says when nothing was built", async () => {
    expect((await run({ only: "release" })).output).toContain("Run this first: npm run deploy -- --only build");
    expect(account.commands).toStrictEqual([]);
  });

  test("loads no packages but those of .ci/deploy, at the versions that everything else uses", () => {
    type Lock = { packages: Record<string, { version: string; integrity?: string }> };
    const [all, own] = ["package-lock.json", ".ci/deploy/package-lock.json"].map(
      (path) => JSON.parse(readFileSync(join(ROOT, path), "utf8")) as Lock,
    );
    const { "": _, ...packages } = own!.packages;
    for (const path of ["node_modules/wrangler", "node_modules/@noble/hashes", "node_modules/workerd"]) {
      expect(packages[path]?.integrity, path).toBe(all!.packages[path]!.integrity);
    }
    for (const { integrity } of Object.values(packages)) expect(integrity).toMatch(/^sha512-/);
    const folder = mkdtempSync(join(tmpdir(), "checkline-bare-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const name of ["scripts", "contract", "worker", "wrangler.toml", ".ci/deploy/package.json"]) {
      cpSync(join(ROOT, name), join(folder, name.replace(".ci/deploy/", "")), { recursive: true });
    }
    for (const path of Object.keys(packages).filter((each) => existsSync(join(ROOT, each)))) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      symlinkSync(join(ROOT, path), join(folder, path));
    }
    const args = ["scripts/deploy.ts", "--only", "release", "--dry-run"];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
    expect(status, stderr).toBe(0);
    expect(stdout).toContain("Dry run of deploying checkline");
  });
});

test("the installed wrangler has every option that a deployment uses", { timeout: 300_000 }, async () => {
  await run({ env: { JURISDICTION: "eu" } });
  account = Object.assign(account, { databases: [] });
  await run({ env: { D1_LOCATION: "weur" } });
  const used = new Map<string, Set<string>>();
  for (const line of [...account.lines(), 'rollback ID --yes --message "text"']) {
    const [words = ""] = line.split(" --");
    const length =
      { deploy: 1, rollback: 1, kv: 3 }[words.split(" ")[0]!] ?? (words.startsWith("d1 migrations") ? 3 : 2);
    const command = words.split(" ").slice(0, length).join(" ");
    const options = [...line.matchAll(/ (--[a-z][\w-]+)/g)].map(([, option]) => option!);
    used.set(command, new Set([...(used.get(command) ?? []), ...options]));
  }
  expect(used.size).toBe(12);
  const wrangler = join(ROOT, "node_modules/wrangler/bin/wrangler.js");
  // Each takes seconds of CPU time.
  for (const [command, options] of [...used].filter(([name]) => longOrShort(true, name === "deploy"))) {
    const help = spawnSync(process.execPath, [wrangler, ...command.split(" "), "--help"], { encoding: "utf8" });
    expect(help.stdout.startsWith(`wrangler ${command}`), command).toBe(true);
    for (const option of options) expect(help.stdout, command).toContain(option);
  }
});

// Half a minute of CPU time. `.ci/run` runs the long form of this file.
test.runIf(longOrShort(true, false))(
  "a real build is deployed, and the installed wrangler accepts its configuration",
  { timeout: 600_000 },
  async () => {
    const isBuild = ([command, words]: Parameters<Io["run"]>) => command === "npm" || words.includes("--dry-run");
    const start: Io["run"] = (...args) => (isBuild(args) ? runProgram(...args) : account.run(...args));
    const env = { PUBLIC_ORIGIN: "https://phone.example.org", HOME: tmpdir() };
    const { code, output } = await run({ env, config: IN_REPOSITORY, io: { run: start } });
    expect(code, output).toBe(0);
    const folder = inFolderOf(IN_REPOSITORY, "build/deploy");
    const built = (file: string) => readFileSync(join(folder, "site/client", file), "utf8");
    expect(built("index.html")).toContain("https://phone.example.org");
    expect(built("sitemap.xml")).not.toContain("checkline.example");
    const written = ["--env=", "--config", join(folder, "wrangler.json")];
    const worker = join(folder, "worker/index.js");
    const args = ["wrangler", "deploy", "--no-bundle", "--minify=false", worker, "--dry-run", ...written];
    const dry = await runProgram("npx", args, { env: { ...process.env, ...env } });
    expect(dry, dry.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("--dry-run: exiting now.") });
    const tables = readdirSync(join(ROOT, "worker/phone/data")).filter((name) => !name.endsWith(".json"));
    expect(tables).not.toHaveLength(0);
    for (const table of tables) expect(dry.stdout).toContain(`-${table}`);
    expect(readFileSync(worker, "utf8")).toContain("ACCOUNT_SUSPENDED");
  },
);
