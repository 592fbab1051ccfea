import type { Deployment, Step } from "./deployment.ts";
import { makeTemporaryKey } from "./smoke-account.ts";
import { smokeTest } from "./smoke-test.ts";
import type { SmokeSubject } from "./smoke-test.ts";

/** A minute between two looks at a version that has a share of the traffic. */
const WATCH_PAUSE_MS = 60_000;
/** Two minutes for an address that may be new, one for a version to be everywhere at an address that is known. */
const FIRST_TRIES = 24;
const TRIES = 12;

const WHAT = "health, landing page, a refusal, a verification in the sandbox";

/** A version at the address that wrangler or the settings name; null while neither does. */
function subjectOf({ target, progress }: Deployment, id: string): SmokeSubject | null {
  const origin = progress.origin ?? target.settings["PUBLIC_ORIGIN"];
  return origin === undefined ? null : { origin, key: progress.key, version: { worker: target.worker, id } };
}

/**
 * Tests what is deployed: a version has to answer, and to answer as it must.
 * @returns where it was tested
 * @throws SmokeFailure
 */
async function testVersion(deployment: Deployment, id: string, tries: number): Promise<string> {
  const subject = subjectOf(deployment, id);
  if (subject === null) throw new Error("Wrangler names no address of this worker. Set PUBLIC_ORIGIN to where it is.");
  deployment.progress.origin = subject.origin;
  await smokeTest(subject, deployment.io, tries);
  return subject.origin;
}

/** Tests the version that was there before, after it was given the traffic again. Returns what came of it, in words. */
export async function testPrevious(deployment: Deployment, version: string): Promise<string> {
  const subject = subjectOf(deployment, version);
  // An upload that fails after it has moved the traffic names no address.
  if (subject === null) return `version ${version} has all of the traffic again; not tested, its address is not known.`;
  try {
    await smokeTest({ ...subject, mayBeUnnamed: true }, deployment.io, TRIES);
    return `version ${version} answers again, tested at ${subject.origin}.`;
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
      // Before it is made: what fails on the way may have made it.
      progress.keyIsTemporary = !given;
      progress.key = given || (await makeTemporaryKey(wrangler, target, Date.now()));
      return given ? "yours" : "done";
    },
  };
}
