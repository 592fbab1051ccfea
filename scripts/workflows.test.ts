import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { SDK_PACKAGES } from "../contract/sdks.ts";
import { ROOT } from "./local/run.ts";
import { PUBLISHERS } from "./sdks/publish.ts";

interface JobStep {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly "continue-on-error"?: boolean;
}

interface Job {
  readonly needs?: string | readonly string[];
  readonly if?: string;
  readonly uses?: string;
  readonly environment?: string;
  readonly permissions?: unknown;
  readonly env?: unknown;
  readonly "timeout-minutes"?: number;
  readonly steps?: readonly JobStep[];
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: unknown;
  readonly concurrency?: { readonly "cancel-in-progress": boolean };
  readonly jobs: Readonly<Record<string, Job>>;
}

/** The registries with trusted publishing, which accept GitHub's identity instead of a token. */
const TRUSTED_PUBLISHING = ["npm", "pypi", "rubygems", "pub"];

const FOLDER = join(ROOT, ".github/workflows");

function read(name: string): Workflow {
  return load(readFileSync(join(FOLDER, name), "utf8")) as Workflow;
}

function stepsOf({ jobs }: Workflow) {
  return Object.values(jobs).flatMap((job) => [...(job.steps ?? []), job]);
}

describe.each(readdirSync(FOLDER))("%s", (name) => {
  const workflow = read(name);

  test("may only read, except jobs that propose data or publish, and has a timeout", () => {
    expect(workflow.permissions).toStrictEqual({ contents: "read" });
    const more = Object.values(workflow.jobs).flatMap(({ permissions }) => permissions ?? []);
    const proposes = name === "data.yml" ? [{ contents: "write", "pull-requests": "write" }] : [];
    const trusted = TRUSTED_PUBLISHING.some((registry) => name === `publish-${registry}.yml`);
    expect(more).toStrictEqual(trusted ? [{ contents: "read", "id-token": "write" }] : proposes);
    for (const job of Object.values(workflow.jobs)) {
      if (job.uses === undefined) expect(job["timeout-minutes"]).toBeGreaterThan(0);
    }
  });

  test("pins actions by commit, or uses its own workflows", () => {
    const used = stepsOf(workflow).flatMap(({ uses }) => uses ?? []);
    expect(used.length).toBeGreaterThan(0);
    for (const action of used)
      expect(action).toMatch(/^(actions\/[\w-]+@[0-9a-f]{40}|\.\/\.github\/workflows\/\w+\.yml)$/);
  });

  test("leaves no token in a checkout", () => {
    for (const { steps = [] } of Object.values(workflow.jobs)) {
      for (const step of steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"))) {
        expect(step.with).toMatchObject({ "persist-credentials": false });
      }
    }
  });

  test("runs existing scripts, and puts nothing external into a command", () => {
    for (const { run } of (workflow.jobs ? stepsOf(workflow) : []) as readonly { run?: string }[]) {
      if (run === undefined) continue;
      expect(run).not.toContain("${{");
      const script = /^npm run ([\w:]+)/.exec(run)?.[1];
      if (script !== undefined) expect(Object.keys(manifest.scripts)).toContain(script);
      else {
        expect(run).toMatch(
          /^(npm ci|npm audit [^>]*|npm sbom [^>]* > sbom\.json|pipx install twine==[\d.]+|bash \.ci\/(run|propose-data))$/,
        );
      }
    }
  });
});

describe("fresh data", () => {
  const { on, jobs } = read("data.yml");
  const steps = jobs["refresh"]!.steps!;

  test("runs weekly or on request, and is proposed after all tests", () => {
    expect(on).toStrictEqual({ schedule: [{ cron: "17 5 * * 1" }], workflow_dispatch: null });
    expect(steps.flatMap(({ run }) => run ?? [])).toStrictEqual([
      "npm ci",
      "npm run data -- --refresh",
      "bash .ci/run",
      "bash .ci/propose-data",
    ]);
    for (const step of steps) expect(step["continue-on-error"]).toBeUndefined();
  });

  test("is proposed with a token that no other step sees", () => {
    expect(steps.filter(({ env }) => env !== undefined)).toStrictEqual([
      { run: "bash .ci/propose-data", env: { GH_TOKEN: "${{ github.token }}" } },
    ]);
  });
});

describe("continuous delivery", () => {
  const { on, concurrency, jobs } = read("deploy.yml");

  test("goes from tests to staging to production, one push after another", () => {
    expect(on).toStrictEqual({ push: { branches: ["main"] } });
    expect(concurrency!["cancel-in-progress"]).toBe(false);
    expect(jobs["test"]!.uses).toBe("./.github/workflows/ci.yml");
    expect(jobs["staging"]!.needs).toStrictEqual(["test", "dependencies"]);
    expect(jobs["production"]!.needs).toBe("staging");
  });

  test.each(["staging", "production"])("deploys %s", (name) => {
    expect(jobs[name]!.environment).toBe(name);
    expect(jobs[name]!.steps!.at(-1)!.run).toBe(`npm run deploy -- --env ${name}`);
  });

  test("uses secrets for secrets and variables for the rest, and passes them only to the deploy step", () => {
    for (const [name, { env, steps = [] }] of Object.entries(jobs)) {
      expect(env).toBeUndefined();
      const given = steps.filter((step) => step.env !== undefined);
      expect(given.map(({ run }) => run)).toStrictEqual(
        ["staging", "production"].includes(name) ? [expect.stringMatching(/^npm run deploy -- /)] : [],
      );
    }
    const [staging, production] = ["staging", "production"].map((name) => jobs[name]!.steps!.at(-1)!.env!);
    expect(staging).toStrictEqual(production);
    expect(Object.keys(staging!)).toEqual(
      expect.arrayContaining(["CLOUDFLARE_API_TOKEN", "RESEND_API_KEY", "BREACH_CHECK", "OPERATOR"]),
    );
    for (const [name, value] of Object.entries(staging!)) {
      const context = /TOKEN|KEY/.test(name) ? "secrets" : "vars";
      expect(value).toBe(`\${{ ${context}.${name} }}`);
    }
  });

  test("is stopped by vulnerabilities in deployed code, and reports those in tools", () => {
    const audits = jobs["dependencies"]!.steps!.filter(({ run }) => run?.startsWith("npm audit"));
    expect(audits).toStrictEqual([
      { run: "npm audit --omit=dev --audit-level=high" },
      { run: "npm audit --audit-level=high", "continue-on-error": true },
    ]);
  });
});

describe.each(Object.keys(PUBLISHERS))("publishing on %s", (registry) => {
  const { on, concurrency, jobs } = read(`publish-${registry}.yml`);
  const job = jobs["publish"]!;

  test("is started by an owner, from main or for pub.dev from a tag, with its environment's approval", () => {
    expect(on).toStrictEqual({ workflow_dispatch: null });
    const isTag = "startsWith(github.ref, 'refs/tags/dart-v')";
    expect(job.if).toBe(registry === "pub" ? isTag : "github.ref == 'refs/heads/main'");
    expect(job.environment).toBe(registry);
    expect(concurrency!["cancel-in-progress"]).toBe(false);
    expect(Object.keys(jobs)).toStrictEqual(["publish"]);
  });

  test("publishes last, and no other step sees its credentials", () => {
    const steps = job.steps!;
    expect(steps.at(-1)!.run).toBe(`npm run publish:sdk -- ${registry}`);
    expect(steps.slice(0, -1).filter(({ env }) => env !== undefined)).toStrictEqual([]);
    const given = Object.entries(steps.at(-1)!.env ?? {});
    expect(given.length > 0).toBe(["packagist", "maven"].includes(registry));
    for (const [name, value] of given) {
      expect(value).toMatch(new RegExp(`^\\$\\{\\{ (secrets|vars)\\.${name} \\}\\}$`));
      if (/TOKEN|KEY|PASSWORD/.test(name)) expect(value).toContain("secrets.");
    }
  });
});

test("every SDK's registry has a workflow", () => {
  const workflows = readdirSync(FOLDER).filter((name) => name.startsWith("publish-"));
  expect(workflows.toSorted()).toStrictEqual(
    Object.keys(PUBLISHERS)
      .map((name) => `publish-${name}.yml`)
      .toSorted(),
  );
  expect(
    Object.values(PUBLISHERS)
      .map(({ sdk }) => sdk)
      .toSorted(),
  ).toStrictEqual(SDK_PACKAGES.map(({ id }) => id).toSorted());
});

describe("dependency safety", () => {
  test("includes a weekly audit of deployed packages and tools", () => {
    const { on, jobs } = read("audit.yml");
    expect(on["schedule"]).toStrictEqual([{ cron: expect.stringMatching(/^\d+ \d+ \* \* \d$/) }]);
    const commands = jobs["audit"]!.steps!.flatMap((step) => step.run ?? []);
    expect(commands).toStrictEqual(["npm audit --omit=dev", "npm audit --audit-level=high"]);
    expect(jobs["audit"]!.steps!.some((step) => step["continue-on-error"])).toBe(false);
  });

  test("includes a bill of materials, kept with each deployment", () => {
    const steps = read("deploy.yml").jobs["dependencies"]!.steps!;
    const made = steps.findIndex(({ run }) => run?.startsWith("npm sbom "));
    expect(steps[made]!.run).toContain("--omit=dev --sbom-format=cyclonedx");
    expect(steps[made + 1]).toMatchObject({
      uses: expect.stringMatching(/^actions\/upload-artifact@/),
      with: { path: "sbom.json", "if-no-files-found": "error" },
    });
  });

  test("includes a bot that proposes updates of packages and actions, grouped where they belong together", () => {
    const { updates } = load(readFileSync(join(FOLDER, "../dependabot.yml"), "utf8")) as {
      updates: { "package-ecosystem": string; groups?: Record<string, { patterns?: string[] }> }[];
    };
    expect(updates.map((update) => update["package-ecosystem"])).toStrictEqual(["npm", "github-actions"]);
    const packages = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
    const patterns = Object.values(updates[0]!.groups!).flatMap((group) => group.patterns ?? []);
    expect(patterns).toEqual(expect.arrayContaining(["wrangler", "miniflare"]));
    const known = (pattern: string) => packages.some((name) => name.startsWith(pattern.replace(/\*$/, "")));
    expect(patterns.filter((pattern) => !known(pattern))).toStrictEqual([]);
  });
});
