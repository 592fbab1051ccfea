/**
 * Mixed traffic against the product, on this machine only: `npm run load`, or with `-- --minutes 0.2 --rate 50 --concurrency 16`. It
 * builds the worker, runs it with an empty database of its own, and needs a built site: `npm run build`. Prints a report and writes it to
 * build/load.json. Exit code 0 when it passed, 1 when it did not.
 */
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseLimits } from "./load/arguments.ts";
import { describeReport } from "./load/report.ts";
import { runLoad } from "./load/run.ts";
import { ROOT } from "./local/run.ts";

const RESULT = join(ROOT, "build/load.json");

async function main(): Promise<number> {
  const limits = parseLimits(process.argv.slice(2));
  if (!existsSync(join(ROOT, "web/build/client"))) throw new Error("There is no built site: npm run build");
  const { minutes, rate, concurrency } = limits;
  console.log(`${minutes} minutes, at most ${rate} scenes a second and ${concurrency} at a time`);
  const report = await runLoad(limits);
  console.table(report.kinds);
  process.stdout.write(describeReport(report));
  await mkdir(join(ROOT, "build"), { recursive: true });
  await writeFile(RESULT, `${JSON.stringify(report, null, 2)}\n`);
  return report.failures.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
