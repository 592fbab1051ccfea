import type { Options } from "./arguments.ts";
import { startProgress } from "./deployment.ts";
import type { Deployment, Io, Step } from "./deployment.ts";
import { nextSteps } from "./next-steps.ts";
import { preparationSteps } from "./preparation.ts";
import { gradualSteps, releaseSteps } from "./release-steps.ts";
import { readDeployed, rollBack } from "./release.ts";
import { eraseTemporaryAccount } from "./smoke-account.ts";
import type { Target } from "./target.ts";
import { environmentFlag, wranglerIn } from "./wrangler.ts";

/** A deployment that did not go through. The message says why, and how things are now. */
export class DeployError extends Error {
  override readonly name = "DeployError";
}

function begin(options: Options, target: Target, io: Io): Deployment {
  return { options, target, io, wrangler: wranglerIn(target.environment, io.run), progress: startProgress() };
}

/** What ends every run, one that failed too. */
function lastStep({ target, io }: Deployment): Pick<Step, "title" | "commands"> {
  const { binding } = target.database;
  const commands = io.variables["CHECKLINE_SMOKE_KEY"]
    ? []
    : [`wrangler d1 execute ${binding} --remote --yes --command SQL`];
  return { title: "Erase the temporary account, and say what is left to do", commands };
}

/** Every step with the commands that it may run, for reading. Asks nothing. */
export function describePlan(options: Options, target: Target, io: Io): string {
  const deployment = begin(options, target, io);
  const steps = [...preparationSteps(deployment), ...(options.gradual ? gradualSteps : releaseSteps)(deployment)];
  const flag = environmentFlag(target.environment);
  const lines = [...steps, lastStep(deployment)].flatMap(({ title, commands }, index) => [
    `${String(index + 1).padStart(2)}. ${title}`,
    ...commands.map((command) => `      ${command}${command.startsWith("wrangler") ? ` ${flag}` : ""}`),
  ]);
  return `${lines.join("\n")}\n`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Brings things back to how they were, as far as that is possible, and says how they are. */
async function undo({ wrangler, target, progress }: Deployment): Promise<string> {
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
    await rollBack(wrangler, previous.version);
    return `Rolled back: version ${previous.version} answers again. Migrations that were applied stay; it works with them.`;
  } catch (error) {
    const back =
      previous === null ? "" : `\nTo go back by hand: npx wrangler rollback ${previous.version} ${inEnvironment}`;
    return `It could not be undone: ${messageOf(error)}${back}`;
  }
}

async function take(step: Step, io: Io): Promise<void> {
  io.print(`  ${step.title} … `);
  io.print(`${await step.run()}\n`);
}

/**
 * Deploys. What fails before the release leaves everything as it was; what fails after it is rolled back.
 * @throws DeployError
 */
export async function deploy(options: Options, target: Target, io: Io): Promise<void> {
  const deployment = begin(options, target, io);
  const { wrangler, progress } = deployment;
  try {
    for (const step of preparationSteps(deployment)) await take(step, io);
    const gradual = options.gradual && progress.previous !== null;
    if (options.gradual && !gradual)
      io.print("  The first deployment cannot be gradual: it gets all of the traffic.\n");
    if (gradual && target.settings["PUBLIC_ORIGIN"] === undefined) {
      throw new Error("--gradual needs PUBLIC_ORIGIN, to know where the new version is to be tested.");
    }
    for (const step of (gradual ? gradualSteps : releaseSteps)(deployment)) await take(step, io);
  } catch (error) {
    io.print("failed\n");
    throw new DeployError(`${messageOf(error)}\n\n${await undo(deployment)}`, { cause: error });
  } finally {
    if (progress.keyIsTemporary) {
      await eraseTemporaryAccount(wrangler, target).catch(() => {
        io.print("  The temporary account of the test could not be erased; the next deployment does it.\n");
      });
    }
  }
  io.print(nextSteps(target, progress, io.variables));
}
