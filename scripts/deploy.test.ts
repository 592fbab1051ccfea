import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { startCloudflare } from "../test/fake-cloudflare.ts";
import { longTest } from "../test/long.ts";
import { writeProjectConfig } from "../test/wrangler-config.ts";
import { UsageError } from "./arguments.ts";
import { deploy, main } from "./deploy.ts";
import type { Io, Options } from "./deploy.ts";
import { stateAfter } from "./deploy/release.ts";
import { missingSecrets } from "./deploy/secrets.ts";
import { smokeTest } from "./deploy/smoke-test.ts";
import { readTarget } from "./deploy/target.ts";
import { ROOT } from "./local/run.ts";
import { run as runProgram } from "./wrangler.ts";

const DOMAIN = "checkline.example.com";
const WORKERS_DEV = "https://checkline.ada.workers.dev";
const addDomain: Parameters<typeof writeProjectConfig>[0] = ({ env: { production } }) => {
  production.routes = [{ pattern: DOMAIN, custom_domain: true }];
};
const CONFIG = writeProjectConfig(addDomain);
const FOLDER = dirname(CONFIG);
const SECRETS = join(FOLDER, "secrets-production.json");
const OWN_CONFIG = join(FOLDER, "wrangler.deploy.json");
const NOTHING_CHANGED = "Nothing was deployed, and nothing was changed.";

let cloudflare: Awaited<ReturnType<typeof startCloudflare>>;

beforeEach(async () => {
  cloudflare = await startCloudflare();
});
afterEach(() => {
  cloudflare.close();
  for (const name of [SECRETS, join(FOLDER, "build"), OWN_CONFIG]) rmSync(name, { recursive: true, force: true });
});

/** What another job built: a worker with a table, and a site. */
function writeBuild(files: Readonly<Record<string, string>> = {}): void {
  const built = {
    "worker/index.js": "export class Ledger {}\nexport default {};\n",
    "worker/table.jsonl": "{}\n",
    "site/client/index.html": "<html>",
  };
  for (const [name, text] of Object.entries({ ...built, ...files })) {
    const path = join(FOLDER, "build/deploy", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

function shell(): NodeJS.ProcessEnv {
  return {
    PATH: process.env["PATH"],
    HOME: FOLDER,
    CLOUDFLARE_API_TOKEN: "a-token",
    CLOUDFLARE_API_BASE_URL: cloudflare.url,
    // Loading wrangler takes most of the time.
    NODE_COMPILE_CACHE: join(FOLDER, "cache"),
    npm_config_update_notifier: "false",
  };
}

/** Knows the login, and fails whatever else wrangler or npm should do. */
const onlyLogin: Io["run"] = async (_, [command]) =>
  command === "auth"
    ? { code: 0, stdout: '{ "type": "api_token", "token": "a-token" }', stderr: "" }
    : { code: 1, stdout: "", stderr: `✘ [ERROR] ${command} failed` };

interface Settings extends Partial<Options> {
  readonly env?: Readonly<Record<string, string>>;
  readonly io?: Partial<Io>;
}

/** Releases production to the fake account. Returns the output, and how long it paused, in minutes. */
async function run({ env = {}, io = {}, ...options }: Settings = {}) {
  let [output, paused] = ["", 0];
  const all: Io = {
    env: { ...shell(), ...env },
    print: (text) => void (output += text),
    run: onlyLogin,
    fetch: cloudflare.fetch,
    sleep: async (ms) => void (paused += ms),
    ...io,
  };
  const defaults = {
    environment: "production",
    config: CONFIG,
    only: "release",
    dryRun: false,
    takeDomain: false,
  } as const;
  const failure = await deploy({ ...defaults, ...options }, all).catch((error: Error) => error);
  return { failed: failure !== undefined, output: `${output}${failure?.message ?? ""}`, minutes: paused / 60_000 };
}

// Forty seconds of CPU time: wrangler runs 13 times.
test("wrangler deploys: a first time, again with a trigger that fails, and back", { timeout: 900_000 }, async () => {
  // Not to be followed: another job wrote these.
  writeBuild({ ".env": "CLOUDFLARE_API_KEY=evil\nCLOUDFLARE_EMAIL=evil@example.com\n", "wrangler.json": "{}" });
  const commands: string[] = [];
  const io: Settings["io"] = {
    run: (command, args, env) => {
      commands.push(args.join(" "));
      return runProgram(command, args, env);
    },
  };
  const env = { JURISDICTION: "eu", RESEND_API_KEY: "re_secret", MAIL_DRIVER: "resend" };
  const keep = `Keep SESSION_SECRET and TRIAL_SECRET, which can't be read back, with your passwords, and delete ${SECRETS}.`;

  const first = await run({ env, io });
  expect(first.failed, first.output).toBe(false);
  expect(first.output).toContain(`Deployed: ${WORKERS_DEV}, https://${DOMAIN}\n`);
  expect(first.output).toContain(`  - MAIL_FROM isn't set.\n  - ${keep}\n`);
  const kept = JSON.parse(readFileSync(SECRETS, "utf8")) as Record<string, string>;
  expect(statSync(SECRETS).mode & 0o777).toBe(0o600);
  expect(Object.fromEntries(cloudflare.secrets)).toStrictEqual({ ...kept, RESEND_API_KEY: "re_secret" });
  for (const queue of cloudflare.queues) {
    expect(queue).toMatchObject({ jurisdiction: "eu", settings: { message_retention_period: 1_209_600 } });
  }
  expect(cloudflare.queues.map(({ queue_name: name }) => name)).toStrictEqual(
    ["usage", "mail", "usage-dead", "mail-dead"].map((name) => `checkline-${name}`),
  );
  expect(cloudflare.databases).toMatchObject([{ name: "checkline", jurisdiction: "eu" }]);
  expect(cloudflare.namespaces).toMatchObject([{ title: "checkline-edge", jurisdiction: "eu" }]);
  const [version] = cloudflare.versions;
  expect(version!.modules).toStrictEqual(["index.js", "table.jsonl"]);
  expect([...cloudflare.files.values()]).toStrictEqual(["<html>"]);
  expect(version!.metadata).toMatchObject({ code_update_strategy: { mode: "immediate" }, limits: { cpu_ms: 30_000 } });
  expect(version!.metadata.bindings).toEqual(
    expect.arrayContaining([
      { type: "d1", name: "DB", id: cloudflare.databases[0].uuid },
      { type: "kv_namespace", name: "EDGE", namespace_id: cloudflare.namespaces[0].id },
      { type: "plain_text", name: "JURISDICTION", text: "eu" },
      { type: "plain_text", name: "ENVIRONMENT", text: "production" },
    ]),
  );

  cloudflare.refuse = /schedules/;
  cloudflare.changes.length = 0;
  const again = await run({ env, io });
  expect(again.output).toContain('Trigger configuration for "checkline" was only partially updated');
  const created = /^POST \/(queues|d1\/database|storage\/kv\/namespaces)$/;
  expect(cloudflare.changes.filter((line) => created.test(line))).toStrictEqual([]);
  expect(JSON.stringify(cloudflare.versions[1]!.metadata.bindings)).not.toContain("secret_text");
  expect(again.output).toContain("\n\nThe new version is deployed. This goes back;");
  expect(again.output.endsWith(`\n\n${keep}`)).toBe(true);

  const back = /^npx wrangler rollback .*$/m.exec(again.output)![0];
  const { code, stderr } = await runProgram("sh", ["-c", back], { ...shell(), CI: "true" });
  expect(code, stderr).toBe(0);
  expect(cloudflare.deployments[0]).toMatchObject({
    versions: [{ version_id: version!.id, percentage: 100 }],
    annotations: { "workers/message": expect.stringMatching(/^Trigger configuration .{60,}$/) },
    code_update_strategy: { mode: "immediate" },
  });

  const shown = [first.output, again.output, ...commands].join("\n");
  for (const secret of [...Object.values(kept), "re_secret", "a-token"]) expect(shown).not.toContain(secret);
  expect(existsSync(/--secrets-file (\S+)/.exec(shown)![1]!)).toBe(false);
});

// Two minutes of CPU time. `.ci/run` runs the long form of this file.
const IN_REPOSITORY = writeProjectConfig(addDomain, join(ROOT, "build"));
longTest("what is built is what is deployed", { timeout: 900_000 }, async () => {
  const env = { PUBLIC_ORIGIN: "https://phone.example.org", D1_LOCATION: "weur" };
  const { failed, output } = await run({ only: null, env, config: IN_REPOSITORY, io: { run: runProgram } });
  expect(failed, output).toBe(false);
  expect(cloudflare.databases).toMatchObject([{ primary_location_hint: "weur" }]);
  const { modules } = cloudflare.versions[0]!;
  for (const name of ["index.js", "plans.bin", "carrier.jsonl"]) {
    expect(modules.filter((module) => module.endsWith(name))).toHaveLength(1);
  }
  const sitemaps = [...cloudflare.files.values()].filter((text) => text.includes("<urlset"));
  expect(sitemaps).toHaveLength(1);
  expect(sitemaps[0]).toContain("<loc>https://phone.example.org/");
  expect(sitemaps[0]).not.toContain("checkline.example");
});

describe("before anything is created, the run stops", () => {
  const taken = /leads to .+ add --take-domain/;
  test.each<[string, () => void, RegExp, Settings?]>([
    ["without permission", () => (cloudflare.refuse = /d1/), /Authentication error .+Workers Routes \(Edit\)/s],
    ["without a workers.dev subdomain", () => (cloudflare.subdomain = false), /no workers\.dev subdomain/],
    [
      "without a zone for the domain",
      () => (cloudflare.zone = "example.org"),
      /sees no zone for checkline\.example\.com/,
    ],
    ["if another worker has the domain", () => cloudflare.hosts.set(DOMAIN, "another"), taken],
    ["if another server has the domain", () => cloudflare.hosts.set(DOMAIN, "http"), taken],
    [
      "if the database is in another jurisdiction",
      () => cloudflare.databases.push({ uuid: "an-id", name: "checkline", jurisdiction: "eu" }),
      /Set JURISDICTION=eu\n/,
    ],
    ["in CI without secrets", () => {}, /lacks SESSION_SECRET and TRIAL_SECRET/, { env: { CI: "true" } }],
  ])("%s", async (_, change, reason, settings = {}) => {
    writeBuild();
    change();
    const { output } = await run(settings);
    expect(output).toMatch(reason);
    expect(output.endsWith(NOTHING_CHANGED)).toBe(true);
    expect(cloudflare.changes).toStrictEqual([]);
  });

  test("if the domain can't be looked up", async () => {
    writeBuild();
    const unknown: typeof fetch = async (input, init) => {
      if (input !== `https://${DOMAIN}/`) return cloudflare.fetch(input, init);
      throw new TypeError("fetch failed", { cause: { code: "EAI_AGAIN" } });
    };
    expect((await run({ io: { fetch: unknown } })).output).toMatch(taken);
  });

  test("unless the domain may be taken over", async () => {
    writeBuild();
    cloudflare.hosts.set(DOMAIN, "http");
    const { output } = await run({ takeDomain: true });
    expect(output).toContain("queues failed\n\nNothing was deployed. The next run uses what this one created.");
  });

  test("if nothing was built", async () => {
    expect((await run()).output).toContain("Run this first: npm run deploy -- --only build");
  });
});

describe("the secrets that a worker lacks", () => {
  const given = { SESSION_SECRET: "s".repeat(32), TRIAL_SECRET: "t".repeat(32) };

  test("come from the shell, where CI must have them", () => {
    expect(missingSecrets(SECRETS, [], { ...given, CI: "true" })).toStrictEqual(given);
    expect(() => missingSecrets(SECRETS, [], { ...given, SESSION_SECRET: "short" })).toThrow(
      "shorter than 32 characters",
    );
    expect(existsSync(SECRETS)).toBe(false);
  });

  test("are generated once, and not for those it has", () => {
    const generated = missingSecrets(SECRETS, ["SESSION_SECRET"], { SESSION_SECRET: given.SESSION_SECRET });
    expect(Object.keys(generated)).toStrictEqual(["TRIAL_SECRET"]);
    expect(missingSecrets(SECRETS, [], {})).toMatchObject(generated);
    expect(missingSecrets(SECRETS, ["SESSION_SECRET", "TRIAL_SECRET"], given)).toStrictEqual({});
  });
});

describe("the test of an address", () => {
  /** Tests the domain, which is wrong this often. Returns how long it waited, in minutes. */
  async function wait(failures: number, minutes: number): Promise<number> {
    let [left, paused] = [failures, 0];
    cloudflare.hosts.set(DOMAIN, "checkline");
    cloudflare.deployments.push({ versions: [{ version_id: "new" }] });
    cloudflare.respond = (_, path) => {
      if (path !== "/api/v1/health" || left-- <= 0) return null;
      if (left % 2 === 0) return Response.json({ version_id: "old" });
      throw new TypeError("fetch failed", { cause: { code: "ERR_TLS" } });
    };
    const sleep = async (ms: number) => void (paused += ms);
    const io = { fetch: cloudflare.fetch, sleep, print: () => {} };
    await smokeTest({ origin: `https://${DOMAIN}`, version: "new", minutes }, io);
    return paused / 60_000;
  }

  test("waits for the new version, DNS, and TLS", async () => {
    expect(await wait(20, 15)).toBe(5);
    await expect(wait(7, 1)).rejects.toThrow(`https://${DOMAIN}: version new doesn't respond yet`);
  });
});

test("going back is suggested only if it would help, with a reason of at most 100 bytes", () => {
  const [before, now] = ["old", "new"].map((version_id) => [{ version_id, percentage: 100 }]);
  const target = readTarget("staging", CONFIG, {});
  const reason = "“Cron” failed. ".repeat(20);
  const state = stateAfter(target, { before: before!, now: now! }, { reason, passed: undefined });
  const [, id, message] = /^npx wrangler rollback (\S+) --env=staging --yes --message "(.*)"$/m.exec(state)!;
  expect(id).toBe("old");
  expect(Buffer.byteLength(message!)).toBeLessThanOrEqual(100);
  const first = stateAfter(target, { before: [], now: now! }, { reason, passed: undefined });
  expect(first.endsWith("this removes it:\nnpx wrangler delete --env=staging")).toBe(true);
  const passed = stateAfter(target, { before: before!, now: now! }, { reason, passed: WORKERS_DEV });
  expect(passed).toBe(`The new version is deployed and passed at ${WORKERS_DEV}; going back would not help.`);
});

describe("a build", () => {
  test("gets no secrets from the shell, and everything else; asks no account", async () => {
    const secrets = { CF_API_KEY: "a", RESEND_API_KEY: "a", SESSION_SECRET_NEXT: "a", DATABASE_PASSWORD: "a" };
    const rest = { OPERATOR: "Ada", KEYBOARD: "us", PUB_CACHE: "/cache", PUBLIC_ORIGIN: "https://example.com" };
    const started = new Map<string, NodeJS.ProcessEnv>();
    const record: Io["run"] = async (command, _, env) => {
      started.set(command, env);
      return { code: 0, stdout: "", stderr: "" };
    };
    const offline = () => Promise.reject(new Error("offline"));
    const { failed } = await run({ only: "build", env: { ...secrets, ...rest }, io: { run: record, fetch: offline } });
    expect(failed).toBe(false);
    expect([...started.keys()]).toStrictEqual(["npm", "wrangler"]);
    expect(started.get("npm")).toMatchObject(rest);
    for (const name of [...Object.keys(secrets), "CLOUDFLARE_API_TOKEN"])
      expect(started.get("npm")).not.toHaveProperty(name);
  });

  test("that fails leaves everything as it was", async () => {
    const { output } = await run({ only: null });
    expect(output).toContain("npm run build failed");
    expect(output).toContain(NOTHING_CHANGED);
  });
});

test("a dry run says what can't be undone, and starts and changes nothing", async () => {
  const { output } = await run({
    dryRun: true,
    env: { D1_LOCATION: "apac" },
    io: { run: () => Promise.reject(new Error()) },
  });
  for (const text of [
    "database checkline: apac",
    "isn't set",
    "checkline-usage-dead",
    SECRETS,
    `${DOMAIN}: browsers`,
  ]) {
    expect(output).toContain(text);
  }
  expect(existsSync(OWN_CONFIG)).toBe(false);
  expect(cloudflare.changes).toStrictEqual([]);
});

test("settings come from wrangler.toml and the shell, whose empty ones don't count", () => {
  const { settings } = readTarget("production", CONFIG, { MAIL_FROM: "a@example.com", MAIL_DRIVER: "" });
  expect(settings).toMatchObject({ ENVIRONMENT: "production", MAIL_FROM: "a@example.com" });
  expect(settings).not.toHaveProperty("MAIL_DRIVER");
});

test.each<[string[], NodeJS.ProcessEnv, string | RegExp]>([
  [["--env", "prod"], {}, '--env must be production or staging, not "prod".'],
  [["--gradual"], {}, "Unknown option '--gradual'"],
  [["--dry-run"], { JURISDICTION: "de" }, 'JURISDICTION must be eu or us or fedramp, not "de".'],
  [["--dry-run"], { D1_LOCATION: "paris" }, /^D1_LOCATION must be weur or .* not "paris"\.$/],
])("%j with %j is rejected", async (args, env, message) => {
  const rejected = main(args, { env, print: () => {} } as unknown as Io);
  await expect(rejected).rejects.toThrow(UsageError);
  await expect(rejected).rejects.toThrow(message);
});

test(
  "the release in CI loads only the packages of .ci/deploy, at everything else's versions",
  { timeout: 300_000 },
  () => {
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
    expect(stdout).toContain("Deploying checkline");
  },
);
