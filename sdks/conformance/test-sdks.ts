import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, runTool } from "../../scripts/local/run.ts";
import { makeFirstCall } from "../../scripts/sdks/first-call.ts";
import { PUBLISHERS } from "../../scripts/sdks/publish.ts";
import { inTemporaryFolder } from "../../scripts/sdks/toolchain.ts";
import type { SdkToolchain } from "../../scripts/sdks/toolchain.ts";
import { chosenToolchains, mayInstall, prepare } from "../../scripts/sdks/toolchains.ts";
import { createKey } from "../../test/factories.ts";
import { openWorker } from "../../test/worker.ts";
import type { RunningWorker } from "../../test/worker.ts";
import { sdkWithId } from "../packages.ts";
import { openSuite } from "./suite.ts";
import type { Suite } from "./suite.ts";
import { workerCases } from "./worker-cases.ts";

/**
 * npm run test:sdks [-- LANGUAGE…]: builds each SDK, and tests the result with its language's tools and the conformance
 * suite.
 */

interface Row {
  readonly language: string;
  readonly toolchain: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

async function testOne(toolchain: SdkToolchain, suite: Suite, worker: RunningWorker): Promise<Row> {
  const { id } = toolchain;
  const { version, why } = await prepare(toolchain);
  if (version === null) {
    console.log(`${id}: SKIPPED, ${why}`);
    // Debian has all tools except Dart's, so a machine that may install them must have them.
    const failed = id !== "dart" && mayInstall() ? 1 : 0;
    return { language: id, toolchain: "missing", passed: 0, failed, skipped: 1 - failed };
  }
  const started = Date.now();
  let ownTestsFailed = false;
  await inTemporaryFolder(async (built) => {
    await toolchain.build(built);
    const env = {
      CHECKLINE_CONFORMANCE_URL: suite.url,
      CHECKLINE_BASE_URL: worker.url.replace(/\/$/, ""),
      CHECKLINE_API_KEY: await createKey(worker.db, "test"),
    };
    await toolchain.test(built, env);
    await makeFirstCall(id, { ...env, ...(await toolchain.env?.()) });
    const publisher = Object.values(PUBLISHERS).find(({ sdk }) => sdk === id)!;
    await publisher.rehearse({ file: join(built, sdkWithId(id).file), request: fetch, env: {} });
  }).catch((error: unknown) => {
    ownTestsFailed = true;
    console.log(error instanceof Error ? error.message : error);
  });
  const { runs, total, passed, failed } = suite.report(id);
  const missing = toolchain.runs.filter((run) => !runs.includes(run));
  if (missing.length > 0) console.log(`${id}: no run of ${missing.join(", ")}`);
  for (const [name, problems] of Object.entries(failed)) console.log(`${name}: ${problems.join("; ")}`);
  console.log(
    `${id}: ${passed} of ${total} cases, own tests ${ownTestsFailed ? "FAILED" : "passed"}, ${Date.now() - started} ms`,
  );
  // The SDK's own tests count as one, and so does a missing run.
  const bad = total - passed + (ownTestsFailed ? 1 : 0) + missing.length;
  return { language: id, toolchain: version, passed: passed + (ownTestsFailed ? 0 : 1), failed: bad, skipped: 0 };
}

if (!existsSync(join(ROOT, "web/build/client"))) await runTool("react-router", ["build"], { cwd: join(ROOT, "web") });
const toolchains = chosenToolchains(process.argv.slice(2));
const worker = await openWorker();
const suite = await openSuite({ workerCases: () => workerCases(worker.db), workerUrl: worker.url });
const rows: Row[] = [];
for (const toolchain of toolchains) rows.push(await testOne(toolchain, suite, worker));
await suite.close();
await worker.close();

console.table(rows);
function sum(column: "passed" | "failed" | "skipped"): number {
  return rows.reduce((total, row) => total + row[column], 0);
}
mkdirSync(join(ROOT, "build"), { recursive: true });
writeFileSync(join(ROOT, "build/sdk-results.json"), `${JSON.stringify(rows, null, 2)}\n`);
console.log(`sdks: ${sum("passed")} passed, ${sum("failed")} failed, ${sum("skipped")} skipped`);
process.exitCode = sum("failed") === 0 ? 0 : 1;
