import { buildScripts } from "./build.ts";
import type { Deployment, Step } from "./deployment.ts";
import { readDeployed } from "./release.ts";
import { ensureDatabase, ensureQueues, leftoverNamespace } from "./resources.ts";
import { checkSmokeKeyStep, trySmokeKeyStep } from "./smoke-key.ts";
import { deployedSecrets, missingSecrets } from "./secrets.ts";
import { settingProblems } from "./target.ts";
import { explain, parseJson, SIGN_IN, WranglerError } from "./wrangler.ts";

/** Said before anything is built or changed. */
export const GRADUAL_NEEDS =
  "--gradual needs PUBLIC_ORIGIN, to know where the new version is to be tested; only the first deployment does without.";

async function signIn({ wrangler, io }: Deployment): Promise<string> {
  const result = await wrangler.run(["whoami", "--json"]);
  if (/"loggedIn": *false/.test(result.stdout)) throw new WranglerError(SIGN_IN);
  if (result.code !== 0) throw new WranglerError(explain(result));
  const { accounts } = parseJson<{ accounts: readonly { name: string }[] }>(result.stdout);
  if (accounts.length > 1 && !io.variables["CLOUDFLARE_ACCOUNT_ID"]) {
    throw new WranglerError(
      "This sign-in sees several accounts. Set CLOUDFLARE_ACCOUNT_ID to the one to deploy to; npx wrangler whoami lists them.",
    );
  }
  return accounts.length === 1 ? `signed in to ${accounts[0]!.name}` : "signed in";
}

async function lookAround({ options, wrangler, target, io, progress }: Deployment): Promise<string> {
  progress.previous = await readDeployed(wrangler);
  const first = progress.previous === null;
  const present = first ? [] : await deployedSecrets(wrangler);
  progress.secrets = missingSecrets(target, present, io.variables);
  if (!first && options.gradual && target.settings["PUBLIC_ORIGIN"] === undefined) throw new Error(GRADUAL_NEEDS);
  const missing = Object.keys(progress.secrets);
  progress.problems = settingProblems(target, [...present, ...missing]);
  if (first && target.namespace.id === null) progress.namespaceId = await leftoverNamespace(wrangler, target);
  const state = progress.previous === null ? "never deployed" : `version ${progress.previous.version}`;
  const found = missing.length === 0 ? state : `${state}, lacks the secret ${missing.join(" and ")}`;
  return [found, ...progress.problems.map((problem) => `    not set up yet: ${problem}`)].join("\n");
}

function buildStep(deployment: Deployment, script: string): Step {
  const { io, target } = deployment;
  const origin = target.settings["PUBLIC_ORIGIN"];
  return {
    title: script === "build" ? "Build the site" : "Build the SDK packages",
    commands: [`npm run ${script}`],
    async run() {
      await io.build(script, origin === undefined ? {} : { PUBLIC_ORIGIN: origin });
      return "done";
    },
  };
}

/** The steps before anything is released: they change nothing that anybody sees. */
export function preparationSteps(deployment: Deployment): Step[] {
  const { wrangler, target, io, progress } = deployment;
  const smokeKey = io.variables["CHECKLINE_SMOKE_KEY"];
  return [
    ...(smokeKey ? [checkSmokeKeyStep(smokeKey)] : []),
    { title: "Check the sign-in", commands: ["wrangler whoami --json"], run: () => signIn(deployment) },
    {
      title: "Look at what is deployed, and which secrets it has",
      commands: [
        "wrangler deployments status --json",
        "wrangler secret list --format json",
        "wrangler kv namespace list",
      ],
      run: () => lookAround(deployment),
    },
    ...(smokeKey ? [trySmokeKeyStep(deployment, smokeKey)] : []),
    ...buildScripts().map((script) => buildStep(deployment, script)),
    {
      title: "Find the queues, or make them",
      commands: target.queues.flatMap((queue) => [`wrangler queues info ${queue}`, `wrangler queues create ${queue}`]),
      run() {
        progress.touched = true;
        return ensureQueues(wrangler, target);
      },
    },
    {
      title: "Find the database, or make it",
      commands: ["wrangler d1 list --json", `wrangler d1 create ${target.database.name} --update-config=false`],
      run: () => ensureDatabase(wrangler, target),
    },
  ];
}
