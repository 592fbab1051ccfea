import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { longOrShort } from "../test/long.ts";
import { startFakeWrangler } from "../test/fake-wrangler.ts";
import { writeProjectConfig } from "../test/wrangler-config.ts";
import { ENVIRONMENTS, UsageError } from "./arguments.ts";
import { main } from "./deploy.ts";
import { plainHttpProblem } from "./deploy/smoke-test.ts";
import { BUILT_CONFIG, FOLDER } from "./deploy/target.ts";
import { ROOT } from "./local/run.ts";

const CONFIG = writeProjectConfig();
const NOTHING = "Nothing was deployed, and nothing was changed.";
let account: Awaited<ReturnType<typeof startFakeWrangler>>;

beforeEach(async () => {
  account = await startFakeWrangler();
});
afterEach(() => account.close());

/** The environment of a shell that finds the fake programs first. */
function shell(variables: Readonly<Record<string, string>> = {}) {
  const PATH = [account.folder, dirname(process.execPath)].join(delimiter);
  return { PATH, FAKE_ACCOUNT: account.folder, HOME: tmpdir(), ...variables };
}

/**
 * Runs `npm run deploy -- ARGS` in this process. Returns its exit code and output, without the usage after invalid
 * arguments.
 */
async function run(args = "", variables = {}, stopped = new AbortController().signal) {
  const printed: string[] = [];
  const io = { env: shell(variables), print: (text: string) => void printed.push(text), stopped, pauseMs: 1 };
  const failure = await main(["--config", CONFIG, ...args.split(" ").filter(Boolean)], io).catch(
    (error: Error) => error,
  );
  const code = failure instanceof UsageError ? 2 : failure instanceof Error ? 1 : 0;
  return { code, output: `${printed.join("")}${failure?.message ?? ""}` };
}

/** Runs the command in another process. */
function startProcess(variables: Readonly<Record<string, string>>, args: readonly string[] = []) {
  const child = spawn(process.execPath, ["scripts/deploy.ts", "--config", CONFIG, ...args], {
    cwd: ROOT,
    env: shell(variables),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  return { child, ended: once(child, "close").then(([code]) => ({ code: code as number | null, output })) };
}

/** Wrangler's command lines so far, without the arguments common to all. */
function lines(): string[] {
  return account.commands
    .filter(({ name }) => name === "wrangler")
    .map(({ args }) => args.slice(0, args.indexOf("--config")).join(" "));
}

describe("the arguments", () => {
  test.each([
    ["--env prod", '--env must be production or staging, not "prod".'],
    ["--gradual", "Unknown option '--gradual'"],
    ["production", "Unexpected argument 'production'"],
  ])("%s is rejected", async (args, message) => {
    const { code, output } = await run(args);
    expect(code).toBe(2);
    expect(output).toContain(message);
    expect(account.commands).toStrictEqual([]);
  });

  test("invalid ones print the usage, and the exit code is 2", async () => {
    const { code, output } = await startProcess({}, ["--env", "prod"]).ended;
    expect(code).toBe(2);
    expect(output).toContain("Usage: npm run deploy");
    expect(account.commands).toStrictEqual([]);
  });

  test("--help prints the usage", async () => {
    expect(await run("--help")).toMatchObject({ code: 0, output: expect.stringMatching(/^Usage: /) });
  });

  test("Workers Builds deploys the top level of wrangler.toml, which it has filled in", async () => {
    expect(await run("--dry-run", { WORKERS_CI: "1" })).toMatchObject({ code: 0 });
    expect(account.commands.at(-1)!.args).toContain("--env=");
    expect(await run("--dry-run --env staging", { WORKERS_CI: "1" })).toMatchObject({ code: 0 });
    expect(account.commands.at(-1)!.args).toContain("--env=staging");
  });
});

describe("a first deployment", () => {
  test("creates what is missing, migrates, deploys with a session secret, tests, and erases the test account", async () => {
    const { code, output } = await run();
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(account.queues).toStrictEqual([
      "checkline-usage",
      "checkline-mail",
      "checkline-usage-dead",
      "checkline-mail-dead",
    ]);
    for (const queue of account.queues) {
      expect(account.retention.get(queue)).toBe("--message-retention-period-secs=1209600");
    }
    expect([...account.databases.keys()]).toStrictEqual(["checkline"]);
    expect(account.databases.get("checkline")!.applied).not.toStrictEqual([]);
    expect(account.namespaces.map(({ title }) => title)).toStrictEqual(["checkline-edge"]);
    const [version] = account.versions;
    expect(version!.secrets["SESSION_SECRET"]).toMatch(/^[\w-]{43}$/);
    expect(version!.secrets["TRIAL_SECRET"]).toMatch(/^[\w-]{43}$/);
    expect(version!.secrets["TRIAL_SECRET"]).not.toBe(version!.secrets["SESSION_SECRET"]);
    expect(account.traffic()).toStrictEqual([`${version!.id}@100`]);
    expect(account.users()).toStrictEqual([]);
    expect(lines().findIndex((line) => line.startsWith("d1 migrations"))).toBeLessThan(
      lines().findIndex((line) => line.startsWith("deploy ")),
    );
    expect(JSON.parse(version!.config)).toMatchObject({
      assets: { directory: join(FOLDER, "site/client") },
      env: { production: { d1_databases: [{ database_id: "id-of-checkline" }] } },
    });
    expect(output).toContain(`Deployed: ${account.url}`);
  });

  test("shows no secrets or keys, on screen or in command lines, and keeps no files", async () => {
    const { output } = await run("", { MAIL_DRIVER: "resend", RESEND_API_KEY: "re_secret", SESSION_SECRET: "" });
    const { secrets } = account.versions[0]!;
    expect(Object.keys(secrets)).toStrictEqual(["SESSION_SECRET", "TRIAL_SECRET", "RESEND_API_KEY"]);
    const shown = `${output}${account.commands.map(({ args }) => args.join(" ")).join("\n")}`;
    for (const secret of Object.values(secrets)) expect(shown).not.toContain(secret);
    expect(shown).not.toContain("ch_test_");
    expect(existsSync(/--secrets-file (\S+)/.exec(shown)![1]!)).toBe(false);
  });

  test("of staging shares no resource with production", async () => {
    expect(await run("--env staging")).toMatchObject({ code: 0 });
    expect([...account.databases.keys()]).toStrictEqual(["checkline-staging"]);
    expect(account.namespaces).toMatchObject([{ title: "checkline-staging-edge" }]);
    for (const queue of account.queues) expect(queue).toMatch(/^checkline-staging-/);
    expect(account.users("checkline-staging")).toStrictEqual([]);
  });

  test("that fails its smoke test has nothing to roll back to; the next run replaces it", async () => {
    account.responding = () => undefined;
    const { code, output } = await run();
    expect(code).toBe(1);
    expect(output).toContain(`${account.url}: /api/v1/health returns 404`);
    expect(output).toContain("This was the first deployment");
    expect(output).toContain("npx wrangler delete --env=production");
    expect(account.users()).toStrictEqual([]);
    account.responding = () => account.versions.at(-1)!.id;
    expect(await run()).toMatchObject({ code: 0 });
  });

  test("rejected on Workers Free continues in the next run on Workers Paid", async () => {
    account.fail("upload", "CPU limits are not supported for the Free plan. [code: 100328]");
    const { output } = await run();
    expect(output).toContain("Checkline needs the Workers Paid plan");
    expect(output).toContain("Nothing was deployed. The next run uses");
    expect(account.namespaces).toHaveLength(1);
    expect(account.users()).toStrictEqual([]);
    account.forgive();
    expect(await run()).toMatchObject({ code: 0 });
    expect(account.namespaces).toHaveLength(1);
  });
});

describe("a later deployment", () => {
  test("creates nothing and replaces no secret", async () => {
    account.seed();
    expect(await run()).toMatchObject({ code: 0 });
    expect(lines().filter((line) => / create |--secrets-file/.test(line))).toStrictEqual([]);
    const [first, second] = account.versions;
    expect(second!.secrets).toStrictEqual(first!.secrets);
    expect(account.namespaces).toHaveLength(1);
  });

  test("waits until the new version responds, though the previous one still does for a while", async () => {
    const before = account.seed();
    let left = 5;
    account.responding = () => (left-- > 0 ? before : account.versions.at(-1)!.id);
    expect(await run()).toMatchObject({ code: 0 });
    expect(lines().some((line) => line.startsWith("rollback"))).toBe(false);
  });

  test("uses settings and secrets from the shell, and ignores empty ones", async () => {
    account.seed();
    const settings = {
      PUBLIC_ORIGIN: "https://example.com",
      MAIL_DRIVER: "resend",
      MAIL_FROM: "Checkline <a@example.com>",
      BREACH_CHECK: "on",
    };
    const { output } = await run("", { ...settings, RESEND_API_KEY: "re_secret", SESSION_SECRET: "" });
    const { config, secrets } = account.versions.at(-1)!;
    expect(JSON.parse(config)).toMatchObject({
      env: { production: { vars: { ...settings, ENVIRONMENT: "production" } } },
    });
    expect(secrets).toMatchObject({
      RESEND_API_KEY: "re_secret",
      SESSION_SECRET: "s".repeat(32),
    });
    expect(account.commands.find(({ name }) => name === "npm")!.env["PUBLIC_ORIGIN"]).toBe("https://example.com");
    expect(output).toContain(
      `The smoke test used ${account.url}. Make sure that https://example.com leads to this worker.`,
    );
  });
});

describe("the next steps", () => {
  test.each([
    ["", ""],
    ["--env staging", " --env staging"],
  ])("without email refer to the admin command %s", async (args, suffix) => {
    const { output } = await run(args, { MAIL_DRIVER: "resend", MAIL_FROM: "a@example.com" });
    expect(output).toContain(`npm run admin -- create EMAIL --remote${suffix}\n`);
    expect(output).toContain("  - RESEND_API_KEY isn't set.");
    expect(output).toContain("PUBLIC_ORIGIN isn't set");
    expect(output).not.toContain("/register");
  });

  test("with email refer to the sign-up page, with nothing left to do", async () => {
    const PUBLIC_ORIGIN = account.url;
    const mail = { MAIL_DRIVER: "resend", MAIL_FROM: "a@example.com", RESEND_API_KEY: "re_secret" };
    const { output } = await run("", { PUBLIC_ORIGIN, ...mail, OPERATOR: "Ada" });
    expect(output).toContain(`Sign up at ${PUBLIC_ORIGIN}/register\n`);
    expect(output).not.toContain("admin --");
    expect(output).not.toContain("Left to do");
  });

  test.each([
    [403, null],
    [301, "get 301 instead of 403"],
    [200, "get 200 instead of 403"],
  ])("warn of a service that responds with %d over plain http", async (status, problem) => {
    const server = createServer((_, response) => {
      response.writeHead(status, { Location: "https://checkline.invalid/" }).end();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const found = await plainHttpProblem(address);
    server.close();
    if (problem === null) expect(found).toBeNull();
    else expect(found).toContain(problem);
    await once(server, "close");
    expect(await plainHttpProblem(address)).toBeNull();
  });

  test("mention a binding that MAIL_DRIVER cloudflare requires", async () => {
    const variables = { PUBLIC_ORIGIN: account.url, MAIL_DRIVER: "cloudflare", MAIL_FROM: "a@example.com" };
    const { output } = await run("", variables);
    expect(output).toContain("wrangler.toml has no send_email binding SEND_EMAIL");
    expect(output).not.toContain("/register");
  });
});

describe("a failure leaves everything unchanged:", () => {
  test("not logged in", async () => {
    account.fail(
      "",
      "In a non-interactive environment, it's necessary to set a CLOUDFLARE_API_TOKEN environment variable",
    );
    const { code, output } = await run();
    expect(code).toBe(1);
    expect(output).toContain("You are not logged in to Cloudflare. Run: npx wrangler login");
    expect(output).toContain(NOTHING);
    expect(account.commands).toHaveLength(1);
  });

  test("a session secret that is too short, which is not printed", async () => {
    const { output } = await run("", { SESSION_SECRET: "short-secret" });
    expect(output).toContain("SESSION_SECRET is missing or shorter than 32 characters");
    expect(output).toContain(NOTHING);
    expect(output).not.toContain("short-secret");
    await run("", { SESSION_SECRET: "s".repeat(32) });
    expect(account.versions[0]!.secrets["SESSION_SECRET"]).toBe("s".repeat(32));
  });

  const paid = "Checkline needs the Workers Paid plan";
  test.each([
    ["a build", "run build", "", "npm run build failed", NOTHING],
    ["a plan without queues", "queues create", "Unavailable. [code: 100129]", paid, "Nothing was deployed. "],
    ["a migration", "d1 migrations", "Migration 0001 failed", "Migration 0001 failed", "Nothing was deployed. "],
    ["an upload", "upload", "Not supported. [code: 100328]", paid, "Nothing was deployed. "],
  ])("%s", async (_, command, message, reason, outcome) => {
    const before = [account.seed()].map((version) => `${version}@100`);
    account.queues.pop();
    account.fail(command, message);
    const { code, output } = await run();
    expect(code).toBe(1);
    expect(output).toContain(reason);
    expect(output).toContain(outcome);
    expect(account.traffic()).toStrictEqual(before);
  });

  test("a test account created by a failed command is erased", async () => {
    account.fail(
      "d1 execute DB --remote --yes --command DELETE FROM users WHERE email = 'smoke-test@checkline.invalid';",
      "fetch failed",
      "after",
    );
    const { output } = await run();
    expect(output).toContain("fetch failed\n\nNothing was deployed.");
    expect(account.users()).toStrictEqual([]);
  });

  test("a version that fails its smoke test is rolled back", async () => {
    const before = account.seed();
    account.verifies = (version) => version === before;
    const { code, output } = await run();
    expect(code).toBe(1);
    expect(output).toContain("/api/v1/verify returns 500");
    expect(output).toContain(`Rolled back to version ${before}. It passes the smoke test.`);
    expect(lines()).toContain(
      `rollback ${before} --yes --message Rolled back: ${account.url}: /api/v1/verify returns 500`,
    );
    expect(account.traffic()).toStrictEqual([`${before}@100`]);
    expect(account.users()).toStrictEqual([]);
  });

  test("a version that never responds, though the previous one does, is rolled back", async () => {
    const before = account.seed();
    account.responding = () => before;
    const { output } = await run();
    expect(output).toMatch(/version \S+ does not respond yet/);
    expect(output).toContain("It passes the smoke test.");
  });

  test("and when the previous version fails too, the output says so", async () => {
    const before = account.seed();
    account.responding = () => undefined;
    const { output } = await run();
    expect(output).toContain(
      `Rolled back to version ${before}. It fails the smoke test too: ${account.url}: /api/v1/health`,
    );
  });

  test.each([
    ["without an address is not tested", {}, "It was not tested, because its address is unknown."],
    ["with one is tested", () => ({ PUBLIC_ORIGIN: account.url }), "It passes the smoke test."],
  ])("a deployment that fails after moving the traffic is rolled back; %s", async (_, variables, outcome) => {
    const before = account.seed();
    account.fail("deploy --config", "Cron triggers could not be updated.", "after");
    const { output } = await run("", typeof variables === "function" ? variables() : variables);
    expect(output).toContain(`Cron triggers could not be updated.\n\nRolled back to version ${before}. ${outcome}
Migrations, crons, queue consumers, and addresses stay as this deployment left them.`);
    expect(account.traffic()).toStrictEqual([`${before}@100`]);
  });

  test("and when it can't be rolled back, the output explains how to do it manually", async () => {
    const before = account.seed();
    account.responding = () => undefined;
    account.fail("rollback", "Something went wrong. [code: 10013]");
    const { output } = await run();
    expect(output).toContain("Rolling back failed: Something went wrong. [code: 10013]");
    expect(output).toContain(`npx wrangler rollback ${before} --env=production`);
  });
});

describe("a stopped deployment", () => {
  test("changes nothing while it builds", async () => {
    const controller = new AbortController();
    account.onCommand = (line) => line === "run build" && controller.abort(new Error("Stopped by SIGINT."));
    const { code, output } = await run("", {}, controller.signal);
    expect(code).toBe(1);
    expect(output).toContain(`Stopped by SIGINT.\n\n${NOTHING}`);
  });

  test("lets wrangler finish an upload, rolls back, and keeps no files", async () => {
    const before = account.seed();
    account.queues.pop();
    const { child, ended } = startProcess({ SESSION_SECRET: "x".repeat(32) });
    account.onCommand = (line) => {
      if (line.startsWith("deploy --"))
        for (const signal of ["SIGINT", "SIGINT", "SIGTERM"] as const) child.kill(signal);
    };
    const { code, output } = await ended;
    expect(code).toBe(1);
    expect(output).toMatch(/Stopped by SIG(INT|TERM)\.\n\nRolled back to version /);
    expect(output).toContain(`Rolled back to version ${before}. It passes the smoke test.`);
    expect(account.traffic()).toStrictEqual([`${before}@100`]);
    expect(account.users()).toStrictEqual([]);
    const outputFile = account.commands.find(({ args }) => args[0] === "deploy")!.env["WRANGLER_OUTPUT_FILE_PATH"]!;
    expect(existsSync(dirname(outputFile))).toBe(false);
  });
});

describe("a dry run", () => {
  test("prints every command of a first deployment, and runs only the build and wrangler's own dry run", async () => {
    const { code, output } = await run("--dry-run");
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining("The dry run passed.") });
    expect(account.commands.map(({ args }) => args.slice(0, 2).join(" "))).toStrictEqual([
      "run build",
      "deploy --dry-run",
    ]);
    expect(output).toContain("not set up yet: PUBLIC_ORIGIN isn't set");
    account.commands.length = 0;
    await run();
    for (const line of lines().filter((each) => !each.startsWith("deploy "))) {
      expect(output).toContain(`    wrangler ${line.replace(/--command .*/, "--command …")} --env=production\n`);
    }
  });

  test("fails when wrangler's does, or when it is stopped", async () => {
    account.fail("deploy --dry-run", "No such entry point");
    expect(await run("--dry-run")).toMatchObject({
      code: 1,
      output: expect.stringContaining("No such entry point\n\nThe dry run failed."),
    });
    account.forgive();
    const controller = new AbortController();
    account.onCommand = (line) => line.startsWith("deploy --") && controller.abort(new Error("Stopped by SIGINT."));
    const { output } = await run("--dry-run", {}, controller.signal);
    expect(output).toContain("Stopped by SIGINT.\n\nThe dry run failed.");
  });

  test.each(longOrShort(ENVIRONMENTS, ["production"]))(
    "of %s passes with the installed wrangler, and bundles the data tables",
    async (environment) => {
      rmSync(join(account.folder, "wrangler"));
      const { code, output } = await run(`--dry-run --env ${environment}`);
      expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining("--dry-run: exiting now.") });
      const tables = (folder: string) => readdirSync(folder).filter((name) => /\.(bin|jsonl)$/.test(name)).length;
      expect(tables(join(FOLDER, "worker"))).toBe(tables(join(ROOT, "worker/phone/data")));
      expect(readFileSync(join(FOLDER, "worker/index.js"), "utf8")).toContain("ACCOUNT_SUSPENDED");
    },
  );
});

test("the installed wrangler has every option that a deployment uses", { timeout: 300_000 }, async () => {
  await run();
  account.responding = () => undefined;
  await run();
  const used = new Map<string, string[]>();
  for (const line of lines()) {
    const words = line.split(" --")[0]!.split(" ");
    const command = words.slice(
      0,
      { d1: words[1] === "migrations" ? 3 : 2, kv: 3, rollback: 1, deploy: 1 }[words[0]!] ?? 2,
    );
    const options = [...line.matchAll(/ (--[a-z][\w-]+)/g)].map(([, option]) => option!);
    if (options.length > 0) used.set(command.join(" "), [...(used.get(command.join(" ")) ?? []), ...options]);
  }
  expect([...used.keys()].toSorted()).toStrictEqual([
    "d1 create",
    "d1 execute",
    "d1 list",
    "d1 migrations apply",
    "deploy",
    "deployments status",
    "queues create",
    "queues update",
    "rollback",
    "secret list",
  ]);
  const wrangler = join(ROOT, "node_modules/wrangler/bin/wrangler.js");
  // Each takes seconds of CPU time.
  const asked = [...used].filter(([command]) => longOrShort(true, command === "deploy"));
  for (const [command, options] of asked) {
    const help = spawnSync(process.execPath, [wrangler, ...command.split(" "), "--help"], { encoding: "utf8" });
    expect(help.stdout.startsWith(`wrangler ${command}`), command).toBe(true);
    for (const option of options) expect(help.stdout, command).toContain(option);
  }
});

describe("a build", () => {
  test("gets no secrets from the shell, and everything else", async () => {
    const secrets = {
      CLOUDFLARE_API_TOKEN: "private",
      CLOUDFLARE_EMAIL: "private",
      CF_API_KEY: "private",
      RESEND_API_KEY: "private",
      SESSION_SECRET: "private-private-private-private-private",
      TRIAL_SECRET: "private-private-private-private-private",
      SESSION_SECRET_NEXT: "private",
      GITHUB_TOKEN: "private",
      DATABASE_PASSWORD: "private",
    };
    const rest = { OPERATOR: "Ada", KEYBOARD: "us", PUB_CACHE: "/cache" };
    await run("", { ...secrets, ...rest });
    const { env } = account.commands.find(({ name }) => name === "npm")!;
    expect(env).toMatchObject(rest);
    for (const name of Object.keys(secrets)) expect(Object.keys(env)).not.toContain(name);
    expect(account.commands.find(({ name }) => name === "wrangler")!.env).toMatchObject(secrets);
  });
});

/** A folder's files with their modification times; empty if it doesn't exist. */
function snapshot(folder: string): Record<string, number> {
  if (!existsSync(folder)) return {};
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return Object.fromEntries(files.map((file) => [file, statSync(join(folder, file)).mtimeMs]));
}

function gitStatus(): string {
  return spawnSync("git", ["status", "--porcelain"], { cwd: ROOT, encoding: "utf8" }).stdout;
}

// Half a minute of CPU time. `.ci/run` runs the long form of this file.
test.runIf(longOrShort(true, false))(
  "with only Node, npm, and wrangler, a real build is deployed, and nothing else in the repository changes",
  { timeout: 600_000 },
  async () => {
    const tools = mkdtempSync(join(tmpdir(), "checkline-tools-"));
    const found = (name: string) => realpathSync(spawnSync("which", [name], { encoding: "utf8" }).stdout.trim());
    rmSync(join(account.folder, "npm"));
    symlinkSync(process.execPath, join(tools, "node"));
    for (const name of ["npm", "sh"]) symlinkSync(found(name), join(tools, name));
    const before = [gitStatus(), snapshot(join(ROOT, "web/build"))];
    try {
      const { code, output } = await startProcess({
        PUBLIC_ORIGIN: "https://phone.example.org",
        PATH: [account.folder, tools].join(delimiter),
      }).ended;
      expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining(`Deployed: ${account.url}`) });
    } finally {
      rmSync(tools, { recursive: true, force: true });
    }
    expect([gitStatus(), snapshot(join(ROOT, "web/build"))]).toStrictEqual(before);
    const { assets } = JSON.parse(readFileSync(BUILT_CONFIG, "utf8")) as { assets: { directory: string } };
    const built = (file: string) => readFileSync(join(assets.directory, file), "utf8");
    expect(built("index.html")).toContain("https://phone.example.org");
    expect(built("sitemap.xml")).not.toContain("checkline.example");
    expect(built(".well-known/security.txt")).toContain("Contact: mailto:security@phone.example.org\n");
    expect(existsSync(join(assets.directory, "404.html"))).toBe(true);
  },
);
