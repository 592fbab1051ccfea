/**
 * Sends mixed traffic to a throwaway instance of the product on this machine: `npm run load`, or with `-- --minutes 0.2
 * --rate 50 --concurrency 16`. Prints a report and writes it to build/load.json. Exit code 0 when the run passed, 1
 * when it failed, 2 for an invalid command line.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { numberUpTo, parseArguments, runMain } from "./arguments.ts";
import { describeReport } from "./load/report.ts";
import type { LoadLimits } from "./load/report.ts";
import { ROOT } from "./local/run.ts";

/** Parses the command line. Its bounds make a forgotten run end and keep the machine usable. @throws UsageError */
export function parseLimits(args: readonly string[]): LoadLimits {
  const option = (value: string) => ({ type: "string", default: value }) as const;
  const options = { minutes: option("10"), rate: option("50"), concurrency: option("16") };
  const { minutes, rate, concurrency } = parseArguments({ args: [...args], options }).values;
  return {
    minutes: numberUpTo("--minutes", 60, minutes, { whole: false }),
    rate: numberUpTo("--rate", 500, rate),
    concurrency: numberUpTo("--concurrency", 64, concurrency),
  };
}

async function main(): Promise<number> {
  const limits = parseLimits(process.argv.slice(2));
  const { minutes, rate, concurrency } = limits;
  console.log(`${minutes} minutes, ${rate} requests per second, up to ${concurrency} at a time`);
  const { runLoad } = await import("./load/run.ts");
  const report = await runLoad(limits);
  console.table(report.kinds);
  process.stdout.write(describeReport(report));
  await mkdir(join(ROOT, "build"), { recursive: true });
  await writeFile(join(ROOT, "build/load.json"), `${JSON.stringify(report, null, 2)}\n`);
  return report.failures.length === 0 ? 0 : 1;
}

if (import.meta.main) await runMain(main);
