/**
 * Sends random requests, from valid to broken, to a throwaway worker on this machine: `npm run fuzz`, or with `--
 * --requests 100000 --seed 7`. The same seed sends the same requests; findings are printed with their request. Exit
 * code 0 without findings, 1 with findings, 2 for an invalid command line.
 */
import { numberUpTo, parseArguments, runMain } from "./arguments.ts";
import { runFuzz } from "./fuzz/run.ts";

async function main(): Promise<number> {
  const option = (value: string) => ({ type: "string", default: value }) as const;
  const options = { requests: option("10000"), seed: option(String(1 + Math.floor(Math.random() * 1e6))) };
  const { values } = parseArguments({ options });
  const requests = numberUpTo("--requests", 10_000_000, values.requests);
  const seed = numberUpTo("--seed", 2 ** 31 - 1, values.seed);
  console.log(`${requests} requests, seed ${seed}`);
  const started = performance.now();
  const report = await runFuzz({
    requests,
    seed,
    onFinding: ({ index, problem, request }) =>
      console.log(`\nRequest ${index}: ${problem}\n${request.slice(0, 4_000)}\n`),
    onProgress: (sent) => console.log(`${sent} sent`),
  });
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(`\n${report.sent} sent in ${seconds} s`);
  console.log("Responses of the worker:", report.statuses);
  console.log(
    "Rejected by the runtime before the worker:",
    report.runtimeStatuses,
    `and ${report.hangups} closed without a response`,
  );
  console.log(`${report.succeeded.length} operations have succeeded at least once`);
  if (report.findings.length > 0) console.log(`\nRepeat with: npm run fuzz -- --requests ${requests} --seed ${seed}`);
  return report.findings.length === 0 ? 0 : 1;
}

if (import.meta.main) await runMain(main);
