import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "js-yaml";
import { describe, expect, onTestFinished, test } from "vitest";
import { SDK_PACKAGES } from "../sdks/packages.ts";
import { ROOT } from "./local/run.ts";
import { PUBLISHERS } from "./sdks/publish.ts";

interface Step {
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job {
  readonly needs?: string | readonly string[];
  readonly if?: string;
  readonly uses?: string;
  readonly environment?: string;
  readonly permissions?: unknown;
  readonly env?: unknown;
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

const FOLDER = join(ROOT, ".github/workflows");
/** What jobs may do beyond reading: propose data, and identify themselves to registries with trusted publishing. */
const MORE: Readonly<Record<string, unknown>> = {
  "data.yml": [{ contents: "write", "pull-requests": "write" }],
  "publish.yml": [{ contents: "read", "id-token": "write" }],
};

const read = (name: string) => load(readFileSync(join(FOLDER, name), "utf8")) as Workflow;
const stepsOf = ({ steps = [] }: Job) => steps;

/** Every command of a job that may write, has an environment, or sees a secret: none runs the project's dependencies. */
const TRUSTED_COMMANDS = [
  /^node scripts\/publish-sdk\.ts [a-z]+$/,
  "sudo apt-get update",
  "sudo apt-get install --yes --no-install-recommends twine",
  "bash .ci/propose-data",
  // Replaces the project's packages with wrangler, and runs no install script.
  "cp .ci/deploy/package.json .ci/deploy/package-lock.json .",
  "npm ci --ignore-scripts",
  /^node scripts\/deploy\.ts --only release --env (staging|production)$/,
];

function isPrivileged({ environment, permissions, ...job }: Job): boolean {
  const writes = JSON.stringify(permissions ?? "").includes("write");
  return environment !== undefined || writes || /secrets|github\.token|GITHUB_TOKEN/.test(JSON.stringify(job));
}

/** What a job with rights must not do. */
function problemsOf(job: Job): string[] {
  if (!isPrivileged(job)) return [];
  const commands = stepsOf(job).flatMap(({ run }) => run ?? []);
  const unknown = commands.filter(
    (command) => !TRUSTED_COMMANDS.some((known) => (known instanceof RegExp ? known.test(command) : known === command)),
  );
  const caches = stepsOf(job).filter((step) => step.with?.["cache"] !== undefined);
  const installs = commands.indexOf("npm ci --ignore-scripts");
  const isSeparate = installs === -1 || commands[installs - 1]?.startsWith("cp .ci/deploy/package.json ");
  return [
    ...unknown.map((command) => `runs ${command}`),
    ...caches.map(() => "takes files from a cache that other jobs write"),
    ...(job.uses === undefined ? [] : ["calls a workflow"]),
    ...(isSeparate ? [] : ["installs the project's dependencies"]),
    ...(stepsOf(job).some(({ uses }) => uses !== undefined && !isPinned(uses))
      ? ["uses an action that can change"]
      : []),
  ];
}

function isPinned(uses: string): boolean {
  return /^(actions\/[\w-]+@[0-9a-f]{40}|\.\/\.github\/workflows\/\w+\.yml)$/.test(uses);
}

describe.each(readdirSync(FOLDER))("%s", (name) => {
  const { permissions, jobs } = read(name);
  const steps = Object.values(jobs).flatMap(stepsOf);

  test("may only read, unless it proposes data or publishes", () => {
    expect(permissions).toStrictEqual({ contents: "read" });
    const more = Object.values(jobs).flatMap((job) => job.permissions ?? []);
    expect(more).toStrictEqual(MORE[name] ?? []);
  });

  test("gives rights and secrets to no job that runs the project's dependencies", () => {
    for (const job of Object.values(jobs)) expect(problemsOf(job)).toStrictEqual([]);
  });

  test("pins actions by commit, and leaves no token in a checkout", () => {
    for (const { uses } of [...steps, ...Object.values(jobs)]) {
      if (uses !== undefined) expect(isPinned(uses), uses).toBe(true);
    }
    for (const step of steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"))) {
      expect(step.with).toMatchObject({ "persist-credentials": false });
    }
  });

  test("puts nothing external into a command, and gives secrets only to the step that deploys, publishes, or proposes", () => {
    for (const job of Object.values(jobs)) expect(job.env).toBeUndefined();
    for (const { run = "", env = {} } of steps) {
      expect(run).not.toContain("${{");
      const isBuild = /^npm run deploy -- --only build --env (staging|production)$/.test(run);
      const isTrusted = /^(node scripts\/(deploy|publish-sdk)\.ts |bash \.ci\/propose-data$)/.test(run);
      expect(isTrusted || isBuild ? {} : env).toStrictEqual({});
      for (const [variable, value] of Object.entries(env)) {
        const isSecret = /TOKEN|KEY|SECRET|PASSWORD/.test(variable);
        expect(isSecret && isBuild).toBe(false);
        expect(value).toMatch(
          isSecret ? /^\$\{\{ (secrets\.\w+|github\.token) \}\}$/ : /^\$\{\{ (vars|secrets)\.\w+ \}\}$/,
        );
      }
    }
  });
});

describe("a job with rights is found to break the rules if it", () => {
  const propose = read("data.yml").jobs["propose"]!;
  const deploy = read("deploy.yml").jobs["production"]!;
  const publish = read("publish.yml").jobs["with-identity"]!;
  const build = read("deploy.yml").jobs["build"]!;
  const withStep = (job: Job, step: Step): Job => ({ ...job, steps: [...stepsOf(job), step] });
  const without = (job: Job, start: string): Job => ({
    ...job,
    steps: stepsOf(job).filter(({ run }) => !run?.startsWith(start)),
  });

  test.each<[string, Job, string]>([
    ["installs", withStep(propose, { run: "npm ci" }), "runs npm ci"],
    ["runs more in one step", withStep(propose, { run: "bash .ci/propose-data\nnpm ci" }), "runs bash"],
    ["installs the project's packages", without(deploy, "cp "), "installs the project's dependencies"],
    ["takes a cache", withStep(deploy, { uses: deploy.steps![1]!.uses!, with: { cache: "npm" } }), "takes files"],
    ["uses a tag", withStep(publish, { uses: "actions/setup-python@v5" }), "uses an action that can change"],
    ["uses others' actions", withStep(publish, { uses: `other/action@${"0".repeat(40)}` }), "uses an action"],
    ["builds with a right", { ...build, permissions: { "id-token": "write" } }, "runs npm ci"],
    ["builds with GitHub's token", withStep(build, { run: "true", env: { A: "${{ github.token }}" } }), "runs npm ci"],
    ["builds in an environment", { ...build, environment: "production" }, "runs npm ci"],
    ["hands them on", { uses: "./.github/workflows/ci.yml", secrets: "inherit" } as Job, "calls a workflow"],
    ["builds with a secret", withStep(build, { run: "true", env: { A: "${{ secrets.A }}" } }), "runs npm ci"],
  ])("%s", (_, job, problem) => {
    expect(problemsOf(job).some((each) => each.startsWith(problem))).toBe(true);
  });
});

test("updates wait for a week", () => {
  const { updates } = load(readFileSync(join(ROOT, ".github/dependabot.yml"), "utf8")) as {
    updates: readonly { readonly cooldown?: unknown }[];
  };
  for (const { cooldown } of updates) expect(cooldown).toStrictEqual({ "default-days": 7 });
});

test("production gets what passed the tests, the audit, and staging", () => {
  const { on, jobs } = read("deploy.yml");
  expect(on).toStrictEqual({ push: { branches: ["main"] } });
  expect(jobs["test"]!.uses).toBe("./.github/workflows/ci.yml");
  expect(jobs["staging"]!.needs).toStrictEqual(["test", "dependencies", "build"]);
  expect(jobs["production"]!.needs).toBe("staging");
  const [staging, production] = (["staging", "production"] as const).map((name) => {
    const build = stepsOf(jobs["build"]!).find(({ run }) => run === `npm run deploy -- --only build --env ${name}`)!;
    const { run, env } = stepsOf(jobs[name]!).at(-1)!;
    expect(run).toBe(`node scripts/deploy.ts --only release --env ${name}`);
    // The site contains its address and operator.
    expect(env).toMatchObject(build.env!);
    return { ...env, PUBLIC_ORIGIN: "" };
  });
  expect(staging).toStrictEqual(production);
});

test("every SDK is published with its registry's approval, from main or for pub.dev from a tag", () => {
  const sdks = Object.values(PUBLISHERS).map(({ sdk }) => sdk);
  expect(sdks.toSorted()).toStrictEqual(SDK_PACKAGES.map(({ id }) => id).toSorted());
  const jobs = Object.values(read("publish.yml").jobs);
  const steps = jobs.flatMap(stepsOf).filter(({ run }) => run?.includes("publish-sdk"));
  const found = steps.map(({ if: condition, run }) => `${run} if ${condition}`);
  const expected = Object.keys(PUBLISHERS).map(
    (name) => `node scripts/publish-sdk.ts ${name} if inputs.registry == '${name}'`,
  );
  expect(found.toSorted()).toStrictEqual(expected.toSorted());
  for (const { if: condition, environment } of jobs) {
    expect(environment).toBe("${{ inputs.registry }}");
    for (const alternative of condition!.split(" || ")) {
      expect(alternative).toMatch(
        /^github\.ref == 'refs\/heads\/main' && |^startsWith\(github\.ref, 'refs\/tags\/dart-v'\) && /,
      );
    }
  }
});

test("publishing needs none of the project's dependencies", () => {
  const folder = mkdtempSync(join(tmpdir(), "checkline-bare-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ["scripts", "contract", "sdks", "web/public/sdks", "package.json"]) {
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  }
  const args = ["scripts/publish-sdk.ts", "pub", "--dry-run"];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  expect(status, stderr).toBe(0);
});
