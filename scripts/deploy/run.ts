import type { Options } from "./arguments.ts";
import { startProgress } from "./deployment.ts";
import type { Deployment, Io, Step } from "./deployment.ts";
import { nextSteps } from "./next-steps.ts";
import { GRADUAL_NEEDS, preparationSteps } from "./preparation.ts";
import { gradualSteps, releaseSteps } from "./release-steps.ts";
import { readDeployed, rollBack } from "./release.ts";
import { smokeKeyProblem } from "./smoke-key.ts";
import { eraseTemporaryAccount } from "./smoke-account.ts";
import { stoppable } from "./stopping.ts";
import { settingProblems } from "./target.ts";
import type { Target } from "./target.ts";
import { testPrevious } from "./test-steps.ts";
import { environmentFlag, wranglerIn } from "./wrangler.ts";

/** A deployment that did not go through. The message says why, and how things are now. */
export class DeployError extends Error {
  override readonly name = "DeployError";
}

function startDeployment(options: Options, target: Target, io: Io, progress = startProgress()): Deployment {
  return { options, target, io, wrangler: wranglerIn(target.environment, io.run), progress };
}

/** What ends every run, one that failed too. */
function lastStep({ target, io }: Deployment): Pick<Step, "title" | "commands"> {
  const { binding } = target.database;
  const commands = io.variables["CHECKLINE_SMOKE_KEY"]
    ? []
    : [`wrangler d1 execute ${binding} --remote --yes --command SQL`];
  return { title: "Erase the temporary account, and say what is left to do", commands };
}

/** What the operator has to see to, as far as that can be known without asking what is deployed. */
function knownProblems({ options, target, io }: Deployment): string[] {
  const keyProblem = smokeKeyProblem(io.variables["CHECKLINE_SMOKE_KEY"]);
  return [
    ...settingProblems(target, ["SESSION_SECRET", "RESEND_API_KEY"]),
    ...(options.gradual && target.settings["PUBLIC_ORIGIN"] === undefined ? [GRADUAL_NEEDS] : []),
    ...(keyProblem === null ? [] : [keyProblem]),
  ];
}

/** Every step with the commands that it may run, and what is not set up yet, for reading. Asks nothing. */
export function describePlan(options: Options, target: Target, io: Io): string {
  const deployment = startDeployment(options, target, io);
  const steps = [...preparationSteps(deployment), ...(options.gradual ? gradualSteps : releaseSteps)(deployment)];
  const flag = environmentFlag(target.environment);
  const lines = [...steps, lastStep(deployment)].flatMap(({ title, commands }, index) => [
    `${String(index + 1).padStart(2)}. ${title}`,
    ...commands.map((command) => `      ${command}${command.startsWith("wrangler") ? ` ${flag}` : ""}`),
  ]);
  const problems = knownProblems(deployment).map((problem) => `  - ${problem}\n`);
  return `${lines.join("\n")}\n${problems.length === 0 ? "" : `\nNot set up yet:\n${problems.join("")}`}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Brings things back to how they were, as far as that is possible, and says how they are.
 * @param reason why, for those who read the list of deployments
 */
async function undo(deployment: Deployment, reason: string): Promise<string> {
  const { wrangler, target, progress } = deployment;
  const { previous, released, touched, origin } = progress;
  const nothing = touched
    ? "Nothing was deployed. What was made on the way, such as an empty database, stays and is found by the next run."
    : "Nothing was deployed, and nothing was changed.";
  if (!released) return nothing;
  const inEnvironment = environmentFlag(target.environment);
  try {
    const current = await readDeployed(wrangler);
    if (current === null) return nothing;
    if (previous === null) {
      const where = origin === null ? "" : ` at ${origin}`;
      return `This was the first deployment, so there is no version to go back to: what was deployed stays${where}, and the next run
replaces it. To take it away: npx wrangler delete ${inEnvironment}`;
    }
    if (current.alone && current.version === previous.version) return nothing;
    await rollBack(wrangler, previous.version, reason);
    const triggers = progress.triggersApplied
      ? "\nCrons, queue consumers and addresses stay as this deployment has set them: deploying the code before sets them back."
      : "";
    return `Rolled back: ${await testPrevious(deployment, previous.version)}
Migrations that were applied stay; it works with them.${triggers}`;
  } catch (error) {
    const back =
      previous === null ? "" : `\nTo go back by hand: npx wrangler rollback ${previous.version} ${inEnvironment}`;
    return `It could not be undone: ${messageOf(error)}${back}`;
  }
}

async function runStep(step: Step, io: Io): Promise<void> {
  io.stopped.throwIfAborted();
  io.print(`  ${step.title} … `);
  io.print(`${await step.run()}\n`);
}

/**
 * Deploys. What fails or is stopped before the release leaves everything as it was; after it, it is rolled back.
 * @throws DeployError
 */
export async function deploy(options: Options, target: Target, io: Io): Promise<void> {
  const deployment = startDeployment(options, target, stoppable(io));
  const { progress } = deployment;
  // What was begun is undone and cleaned up even when everything else has to stop.
  const recovery = startDeployment(options, target, io, progress);
  try {
    for (const step of preparationSteps(deployment)) await runStep(step, io);
    const gradual = options.gradual && progress.previous !== null;
    if (options.gradual && !gradual)
      io.print("  The first deployment cannot be gradual: it gets all of the traffic.\n");
    for (const step of (gradual ? gradualSteps : releaseSteps)(deployment)) await runStep(step, io);
  } catch (error) {
    const reason = messageOf(io.stopped.aborted ? io.stopped.reason : error);
    io.print(io.stopped.aborted ? "stopped\n" : "failed\n");
    throw new DeployError(`${reason}\n\n${await undo(recovery, reason)}`, { cause: error });
  } finally {
    if (progress.keyIsTemporary) {
      await eraseTemporaryAccount(recovery.wrangler, target).catch(() => {
        io.print("  The temporary account of the test could not be erased; the next deployment does it.\n");
      });
    }
  }
  io.print(nextSteps(target, progress, io.variables));
}
