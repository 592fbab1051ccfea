/** Deploys the product to Cloudflare: `npm run deploy`. See scripts/deploy/arguments.ts for its options. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseOptions, USAGE, UsageError } from "./deploy/arguments.ts";
import { buildScripts, runScript } from "./deploy/build.ts";
import type { Io } from "./deploy/deployment.ts";
import { deploy, describePlan } from "./deploy/run.ts";
import { stopSignal } from "./deploy/stopping.ts";
import { readTarget } from "./deploy/target.ts";
import type { Target } from "./deploy/target.ts";
import { environmentFlag, explain, runWrangler } from "./deploy/wrangler.ts";
import { ROOT } from "./local/run.ts";

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

/** Builds, which wrangler's dry run needs, and runs that: it bundles and checks everything, and calls nobody. */
async function dryRun({ environment, settings }: Target): Promise<void> {
  const origin = settings["PUBLIC_ORIGIN"];
  for (const script of buildScripts()) {
    io.print(`  npm run ${script} … `);
    await io.build(script, origin === undefined ? {} : { PUBLIC_ORIGIN: origin }, stopped);
    io.print("done\n");
  }
  const folder = join(ROOT, "build/deploy");
  const args = ["deploy", "--dry-run", "--outdir", folder, environmentFlag(environment)];
  const result = await io.run(args);
  if (result.code !== 0) throw new Error(`Wrangler's dry run fails:\n${explain(result)}`);
  io.print(
    `\n${result.stdout.trim()}\n\nThe dry run passes. Nothing was asked of any account, and nothing was changed.\n`,
  );
}

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
  await dryRun(target);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  if (error instanceof UsageError) process.stderr.write(`\n${USAGE}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
