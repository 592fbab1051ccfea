import type { Deployment, Step } from "./deployment.ts";
import { applyTriggers, deployVersion, divideTraffic, uploadVersion } from "./release.ts";
import { withNamespace } from "./resources.ts";
import { withSecrets } from "./secrets.ts";
import { makeTemporaryKey } from "./smoke-account.ts";
import { smokeTest } from "./smoke-test.ts";
import type { Target } from "./target.ts";

/** The share of the traffic that a new version gets first, in per cent. */
const FIRST_SHARE = 10;
/** A minute between two looks at a version that has a share of the traffic. */
const WATCH_PAUSE_MS = 60_000;
/** Two minutes for an address that may be new, half a minute for one that is known. */
const FIRST_TRIES = 24;
const TRIES = 6;

/** `--var NAME:VALUE` for the settings that this shell gave instead of wrangler.toml. */
function variables({ overrides }: Target): string[] {
  return Object.entries(overrides).flatMap(([name, value]) => ["--var", `${name}:${value}`]);
}

/** Gives wrangler the settings of the shell and the secrets that are missing, with whatever it uploads. */
function uploadWith<T>({ target, progress }: Deployment, work: (args: readonly string[]) => Promise<T>): Promise<T> {
  return withSecrets(progress.secrets, (secrets) => {
    const args = [...variables(target), ...secrets];
    if (progress.namespaceId === null) return work(args);
    return withNamespace(target, progress.namespaceId, (config) => work([...args, ...config]));
  });
}

async function test({ io, target, progress }: Deployment): Promise<string> {
  const origin = progress.origin ?? target.settings["PUBLIC_ORIGIN"];
  if (origin === undefined)
    throw new Error("Wrangler names no address of this worker. Set PUBLIC_ORIGIN to where it is.");
  progress.origin = origin;
  const version = { worker: target.worker, id: progress.version };
  await smokeTest({ origin, key: progress.key, version }, io, progress.previous === null ? FIRST_TRIES : TRIES);
  return `${origin} answers as it must`;
}

function migration({ wrangler, target: { database } }: Deployment): Step {
  return {
    title: "Migrate the database, before any code that needs it",
    commands: [`wrangler d1 migrations apply ${database.binding} --remote`],
    async run() {
      const output = await wrangler.call(["d1", "migrations", "apply", database.binding, "--remote"]);
      return /no migrations to apply/i.test(output) ? "nothing to apply" : "applied";
    },
  };
}

function testKey({ wrangler, target, io, progress }: Deployment): Step {
  const own = io.variables["CHECKLINE_SMOKE_KEY"];
  return {
    title: own ? "Take the test key of CHECKLINE_SMOKE_KEY" : "Make a temporary account with a test key",
    commands: own ? [] : [`wrangler d1 execute ${target.database.binding} --remote --yes --command SQL`],
    async run() {
      progress.key = own || (await makeTemporaryKey(wrangler, target, Date.now()));
      progress.keyIsTemporary = !own;
      return own ? "yours" : "done";
    },
  };
}

const SMOKE = "Test it: health, landing page, a refusal, a verification in the sandbox; roll back if it fails";

/** Releasing to everybody at once, which is also the only way to begin. */
export function releaseSteps(deployment: Deployment): Step[] {
  const { wrangler, progress, target } = deployment;
  return [
    migration(deployment),
    testKey(deployment),
    {
      title: "Deploy, with the secrets that are missing",
      commands: [["wrangler deploy", ...variables(target), "--secrets-file FILE"].join(" ")],
      async run() {
        progress.released = true;
        Object.assign(progress, await uploadWith(deployment, (args) => deployVersion(wrangler, args)));
        return `version ${progress.version}`;
      },
    },
    { title: SMOKE, commands: [], run: () => test(deployment) },
  ];
}

/** A tenth of the traffic first. What can be refused is refused before the database is touched. */
export function gradualSteps(deployment: Deployment): Step[] {
  const { options, io, wrangler, progress, target } = deployment;
  async function share(percent: number): Promise<string> {
    progress.released = true;
    await divideTraffic(wrangler, progress.version, percent, progress.previous!.version);
    return "done";
  }
  return [
    {
      title: "Upload the version, with the secrets that are missing",
      commands: [["wrangler versions upload", ...variables(target), "--secrets-file FILE"].join(" ")],
      async run() {
        Object.assign(progress, await uploadWith(deployment, (args) => uploadVersion(wrangler, args)));
        return `version ${progress.version}`;
      },
    },
    migration(deployment),
    testKey(deployment),
    {
      title: `Give it ${FIRST_SHARE}% of the traffic`,
      commands: [`wrangler versions deploy NEW@${FIRST_SHARE} OLD@${100 - FIRST_SHARE} --yes`],
      run: () => share(FIRST_SHARE),
    },
    { title: SMOKE, commands: [], run: () => test(deployment) },
    {
      title: `Watch it: the same test every minute for ${options.watchMinutes} min`,
      commands: [],
      async run() {
        for (let minute = 0; minute < options.watchMinutes; minute++) {
          await io.sleep(WATCH_PAUSE_MS);
          await test(deployment);
        }
        return "no fault";
      },
    },
    {
      title: "Give it all of the traffic",
      commands: ["wrangler versions deploy NEW@100 --yes"],
      run: () => share(100),
    },
    {
      title: "Apply crons, queue consumers and addresses",
      commands: ["wrangler triggers deploy"],
      async run() {
        await applyTriggers(wrangler);
        return "done";
      },
    },
    { title: SMOKE, commands: [], run: () => test(deployment) },
  ];
}
