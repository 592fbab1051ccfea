import type { Deployment, Step } from "./deployment.ts";
import { makeTemporaryKey } from "./smoke-account.ts";
import { smokeTest } from "./smoke-test.ts";

/** A minute between two looks at a version that has a share of the traffic. */
const WATCH_PAUSE_MS = 60_000;
/** Two minutes for an address that may be new, one for a version to be everywhere at an address that is known. */
const FIRST_TRIES = 24;
const TRIES = 12;

const WHAT = "health, landing page, a refusal, a verification in the sandbox";

/**
 * Tests what is deployed: a version has to answer, and to answer as it must.
 * @returns where it was tested
 * @throws SmokeFailure
 */
export async function testVersion(deployment: Deployment, id: string, tries: number): Promise<string> {
  const { io, target, progress } = deployment;
  const origin = progress.origin ?? target.settings["PUBLIC_ORIGIN"];
  if (origin === undefined)
    throw new Error("Wrangler names no address of this worker. Set PUBLIC_ORIGIN to where it is.");
  progress.origin = origin;
  await smokeTest({ origin, key: progress.key, version: { worker: target.worker, id } }, io, tries);
  return origin;
}

/** Tests the version that was there before, after it was given the traffic again. Returns what came of it, in words. */
export async function testPrevious(deployment: Deployment, version: string): Promise<string> {
  try {
    return `version ${version} answers again, tested at ${await testVersion(deployment, version, TRIES)}.`;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `version ${version} has all of the traffic again, but its test fails as well: ${reason}`;
  }
}

/** Testing a version that has just been released; it has time until it is everywhere. */
export function smokeTestStep(deployment: Deployment): Step {
  const { progress } = deployment;
  return {
    title: `Test it: ${WHAT}; roll back if it fails`,
    commands: [],
    async run() {
      const tries = progress.previous === null ? FIRST_TRIES : TRIES;
      return `${await testVersion(deployment, progress.version, tries)} answers as it must`;
    },
  };
}

/** Watching a version that answers already: what fails once is a fault. */
export function watchStep(deployment: Deployment): Step {
  const { options, io, progress } = deployment;
  return {
    title: `Watch it: the same test once a minute for ${options.watchMinutes} min; roll back when it fails once`,
    commands: [],
    async run() {
      for (let minute = 0; minute < options.watchMinutes; minute++) {
        await io.sleep(WATCH_PAUSE_MS);
        await testVersion(deployment, progress.version, 1);
      }
      return "no fault";
    },
  };
}

/** Getting the test key that the tests verify with. */
export function testKeyStep({ wrangler, target, io, progress }: Deployment): Step {
  const given = io.variables["CHECKLINE_SMOKE_KEY"];
  return {
    title: given ? "Take the test key of CHECKLINE_SMOKE_KEY" : "Make a temporary account with a test key",
    commands: given ? [] : [`wrangler d1 execute ${target.database.binding} --remote --yes --command SQL`],
    async run() {
      progress.key = given || (await makeTemporaryKey(wrangler, target, Date.now()));
      progress.keyIsTemporary = !given;
      return given ? "yours" : "done";
    },
  };
}
