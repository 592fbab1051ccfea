/** npm run publish:sdk: records a release, and publishes the SDKs' packages. */
import { writeFileSync } from "node:fs";
import { ORIGIN } from "../contract/origin.ts";
import { SDK_VERSION } from "../contract/sdks.ts";
import { parseArguments, runMain, UsageError } from "./arguments.ts";
import { packageFile, PUBLISHERS } from "./sdks/publish.ts";
import { brokenReleases, readReleased, RELEASED_FILE, withRelease } from "./sdks/released.ts";

const USAGE = `Usage: npm run publish:sdk -- record
       npm run publish:sdk -- ${Object.keys(PUBLISHERS).join("|")} [--dry-run]

  record     writes the digests of the built packages to sdks/released.json: they never change after that
  --dry-run  does everything possible without the registry
`;

/** @throws Error if the release must not be published. */
function checkRelease(): void {
  const released = readReleased();
  const problems = brokenReleases(released);
  if (released[SDK_VERSION] === undefined) {
    problems.push(`${SDK_VERSION} is not recorded: run npm run publish:sdk -- record, and commit sdks/released.json.`);
  }
  if (new URL(ORIGIN).hostname.endsWith(".example")) {
    problems.push(`The packages call ${ORIGIN}: set ORIGIN, and the names in sdks/packages.ts, to yours first.`);
  }
  if (problems.length > 0) throw new Error(problems.join("\n"));
}

async function main(): Promise<void> {
  const options = { "dry-run": { type: "boolean", default: false } } as const;
  const { positionals, values } = parseArguments({ options, allowPositionals: true });
  const [name = "", ...others] = positionals;
  const publisher = PUBLISHERS[name];
  if (others.length > 0 || (publisher === undefined && name !== "record")) {
    throw new UsageError("Specify one registry, or record.");
  }
  if (publisher === undefined) {
    writeFileSync(RELEASED_FILE, `${JSON.stringify(withRelease(readReleased(), SDK_VERSION), null, 2)}\n`);
    console.log(`${SDK_VERSION} is recorded in sdks/released.json. Commit it.`);
    return;
  }
  if (!values["dry-run"]) checkRelease();
  const setting = { file: packageFile(publisher.sdk), request: fetch, env: process.env };
  await publisher.rehearse(setting);
  if (!values["dry-run"]) await publisher.publish(setting);
  console.log(`${name}: ${SDK_VERSION} ${values["dry-run"] ? "is ready" : "is published"}.`);
}

await runMain(main, { usage: USAGE });
