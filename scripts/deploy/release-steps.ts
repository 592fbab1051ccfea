import type { Deployment, Step } from "./deployment.ts";
import { applyTriggers, deployVersion, divideTraffic, uploadVersion } from "./release.ts";
import { withNamespace } from "./resources.ts";
import { withSecrets } from "./secrets.ts";
import type { Target } from "./target.ts";
import { smokeTestStep, testKeyStep, watchStep } from "./test-steps.ts";

/** The share of the traffic that a new version gets first, in per cent. */
const FIRST_SHARE = 10;

/** `--var NAME:VALUE` for the settings that this shell gave instead of wrangler.toml. */
function variableArguments({ overrides }: Target): string[] {
  return Object.entries(overrides).flatMap(([name, value]) => ["--var", `${name}:${value}`]);
}

/** Gives wrangler the settings of the shell and the secrets that are missing, with whatever it uploads. */
function uploadWith<T>({ target, progress }: Deployment, work: (args: readonly string[]) => Promise<T>): Promise<T> {
  return withSecrets(progress.secrets, (secrets) => {
    const args = [...variableArguments(target), ...secrets];
    if (progress.namespaceId === null) return work(args);
    return withNamespace(target, progress.namespaceId, (config) => work([...args, ...config]));
  });
}

function migrationStep({ wrangler, target: { database } }: Deployment): Step {
  return {
    title: "Migrate the database, before any code that needs it",
    commands: [`wrangler d1 migrations apply ${database.binding} --remote`],
    async run() {
      const output = await wrangler.call(["d1", "migrations", "apply", database.binding, "--remote"]);
      return /no migrations to apply/i.test(output) ? "nothing to apply" : "applied";
    },
  };
}

/** Releasing to everybody at once, which is also the only way to begin. */
export function releaseSteps(deployment: Deployment): Step[] {
  const { wrangler, progress, target } = deployment;
  return [
    migrationStep(deployment),
    testKeyStep(deployment),
    {
      title: "Deploy, with the secrets that are missing",
      commands: [["wrangler deploy", ...variableArguments(target), "--secrets-file FILE"].join(" ")],
      async run() {
        progress.released = true;
        progress.triggersApplied = true;
        Object.assign(progress, await uploadWith(deployment, (args) => deployVersion(wrangler, args)));
        return `version ${progress.version}`;
      },
    },
    smokeTestStep(deployment),
  ];
}

/** A tenth of the traffic first. What can be refused is refused before the database is touched. */
export function gradualSteps(deployment: Deployment): Step[] {
  const { wrangler, progress, target } = deployment;
  async function giveShare(percent: number): Promise<string> {
    progress.released = true;
    await divideTraffic(wrangler, progress.version, percent, progress.previous!.version);
    return "done";
  }
  return [
    {
      title: "Upload the version, with the secrets that are missing",
      commands: [["wrangler versions upload", ...variableArguments(target), "--secrets-file FILE"].join(" ")],
      async run() {
        Object.assign(progress, await uploadWith(deployment, (args) => uploadVersion(wrangler, args)));
        return `version ${progress.version}`;
      },
    },
    migrationStep(deployment),
    testKeyStep(deployment),
    {
      title: `Give it ${FIRST_SHARE}% of the traffic`,
      commands: [`wrangler versions deploy NEW@${FIRST_SHARE} OLD@${100 - FIRST_SHARE} --yes`],
      run: () => giveShare(FIRST_SHARE),
    },
    smokeTestStep(deployment),
    watchStep(deployment),
    {
      title: "Give it all of the traffic",
      commands: ["wrangler versions deploy NEW@100 --yes"],
      run: () => giveShare(100),
    },
    {
      title: "Apply crons, queue consumers and addresses",
      commands: ["wrangler triggers deploy"],
      async run() {
        progress.triggersApplied = true;
        await applyTriggers(wrangler);
        return "done";
      },
    },
    smokeTestStep(deployment),
  ];
}
