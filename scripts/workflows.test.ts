import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { SDK_PACKAGES } from "../contract/sdks.ts";
import { ROOT } from "./local/run.ts";
import { PUBLISHERS } from "./sdks/publish.ts";

interface Step {
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
/** The registries with trusted publishing, which accept GitHub's identity instead of a token. */
const TRUSTED_PUBLISHING = ["npm", "pypi", "rubygems", "pub"].map((registry) => `publish-${registry}.yml`);

const read = (name: string) => load(readFileSync(join(FOLDER, name), "utf8")) as Workflow;

describe.each(readdirSync(FOLDER))("%s", (name) => {
  const { permissions, jobs } = read(name);
  const steps = Object.values(jobs).flatMap((job) => job.steps ?? []);

  test("may only read, unless it proposes data or publishes", () => {
    expect(permissions).toStrictEqual({ contents: "read" });
    const more = Object.values(jobs).flatMap((job) => job.permissions ?? []);
    const proposes = name === "data.yml" ? [{ contents: "write", "pull-requests": "write" }] : [];
    expect(more).toStrictEqual(
      TRUSTED_PUBLISHING.includes(name) ? [{ contents: "read", "id-token": "write" }] : proposes,
    );
  });

  test("pins actions by commit, and leaves no token in a checkout", () => {
    for (const { uses } of [...steps, ...Object.values(jobs)]) {
      if (uses !== undefined)
        expect(uses).toMatch(/^(actions\/[\w-]+@[0-9a-f]{40}|\.\/\.github\/workflows\/\w+\.yml)$/);
    }
    for (const step of steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"))) {
      expect(step.with).toMatchObject({ "persist-credentials": false });
    }
  });

  test("puts nothing external into a command, and gives secrets only to the step that deploys, publishes, or proposes", () => {
    for (const job of Object.values(jobs)) expect(job.env).toBeUndefined();
    for (const { run = "", env = {} } of steps) {
      expect(run).not.toContain("${{");
      const isTrusted = /^(npm run (deploy|publish:sdk) -- |bash \.ci\/propose-data$)/.test(run);
      expect(isTrusted ? {} : env).toStrictEqual({});
      for (const [variable, value] of Object.entries(env)) {
        const isSecret = /TOKEN|KEY|SECRET|PASSWORD/.test(variable);
        expect(value).toMatch(
          isSecret ? /^\$\{\{ (secrets\.\w+|github\.token) \}\}$/ : /^\$\{\{ (vars|secrets)\.\w+ \}\}$/,
        );
      }
    }
  });
});

test("production gets what passed the tests, the audit, and staging", () => {
  const { on, jobs } = read("deploy.yml");
  expect(on).toStrictEqual({ push: { branches: ["main"] } });
  expect(jobs["test"]!.uses).toBe("./.github/workflows/ci.yml");
  expect(jobs["staging"]!.needs).toStrictEqual(["test", "dependencies"]);
  expect(jobs["production"]!.needs).toBe("staging");
  for (const name of ["staging", "production"]) {
    expect(jobs[name]!.environment).toBe(name);
    expect(jobs[name]!.steps!.at(-1)!.run).toBe(`npm run deploy -- --env ${name}`);
  }
  expect(jobs["staging"]!.steps!.at(-1)!.env).toStrictEqual(jobs["production"]!.steps!.at(-1)!.env);
});

test("every SDK is published by an owner, from main or for pub.dev from a tag, with its environment's approval", () => {
  expect(
    Object.values(PUBLISHERS)
      .map(({ sdk }) => sdk)
      .toSorted(),
  ).toStrictEqual(SDK_PACKAGES.map(({ id }) => id).toSorted());
  for (const registry of Object.keys(PUBLISHERS)) {
    const { on, jobs } = read(`publish-${registry}.yml`);
    expect(on).toStrictEqual({ workflow_dispatch: null });
    const isTag = "startsWith(github.ref, 'refs/tags/dart-v')";
    expect(jobs["publish"]).toMatchObject({
      if: registry === "pub" ? isTag : "github.ref == 'refs/heads/main'",
      environment: registry,
    });
    expect(jobs["publish"]!.steps!.at(-1)!.run).toBe(`npm run publish:sdk -- ${registry}`);
  }
});
