/** Deploys the product to Cloudflare: `npm run deploy`. See scripts/deploy/arguments.ts for its options. */
import { setTimeout as sleep } from "node:timers/promises";
import { parseOptions, USAGE, UsageError } from "./deploy/arguments.ts";
import { runScript } from "./deploy/build.ts";
import type { Io } from "./deploy/deployment.ts";
import { dryRun } from "./deploy/dry-run.ts";
import { deploy, describePlan } from "./deploy/run.ts";
import { stopSignal } from "./deploy/stopping.ts";
import { readTarget } from "./deploy/target.ts";
import { runWrangler } from "./deploy/wrangler.ts";

const stopped = stopSignal();
stopped.addEventListener(
  "abort",
  () => void process.stderr.write("\nStopping: what runs is finished, and what was begun is undone.\n"),
);

const io: Io = {
  run: runWrangler,
  build: runScript,
  fetch: (url, init) => fetch(url, init),
  sleep: (ms, signal) => sleep(ms, undefined, signal && { signal }),
  stopped,
  variables: process.env,
  print: (text) => void process.stdout.write(text),
};

async function main(args: readonly string[]): Promise<void> {
  const options = parseOptions(args, process.env["WORKERS_CI"] === "1");
  if (options === null) {
    io.print(USAGE);
    return;
  }
  const target = readTarget(options.environment, process.env);
  const where = options.environment ?? "the top level of wrangler.toml";
  io.print(`\nCheckline, ${where}: worker ${target.worker}\n\n`);
  if (!options.dryRun) return deploy(options, target, io);
  io.print(`${describePlan(options, target, io)}\nDry run:\n`);
  await dryRun(target, io);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  if (error instanceof UsageError) process.stderr.write(`\n${USAGE}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
