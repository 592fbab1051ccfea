/**
 * A program that deploys into an account in memory until it is stopped: `node test/stopped-deployment.ts CONFIG MOMENT`. It prints a line
 * once MOMENT has come, and at the end, as JSON, what the deployment failed with and what is in the account.
 */
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseOptions } from "../scripts/deploy/arguments.ts";
import type { Io } from "../scripts/deploy/deployment.ts";
import { deploy } from "../scripts/deploy/run.ts";
import { stopSignal } from "../scripts/deploy/stopping.ts";
import { readTarget } from "../scripts/deploy/target.ts";
import { createAccount } from "./cloudflare-account.ts";

const [config, moment] = process.argv.slice(2) as [string, "upload" | "watch" | "build"];
/** How long a signal may be on its way. */
const PATIENCE_MS = 45_000;
/** What an upload still takes once the deployment has been stopped. */
const REST_OF_UPLOAD_MS = 50;
const account = createAccount();
const stopped = stopSignal();
const variables = { PUBLIC_ORIGIN: "https://checkline.ada.workers.dev" };
const files: string[] = [];

const io: Io = {
  async run(args, env) {
    const isUpload = args[0] === "deploy" && moment === "upload";
    if (isUpload) {
      files.push(...args.filter((_, index) => ["--secrets-file", "--config"].includes(args[index - 1]!)));
      console.log(`uploading with ${files.filter((file) => existsSync(file)).length} files`);
      await sleep(PATIENCE_MS, undefined, { signal: stopped }).catch(() => {});
      await sleep(REST_OF_UPLOAD_MS);
    }
    return account.run(args, env);
  },
  fetch: account.fetch,
  async build(script, _, signal) {
    if (moment !== "build") return;
    console.log(`building ${script}`);
    await sleep(60_000, undefined, signal && { signal });
  },
  async sleep(ms, signal) {
    if (ms === 60_000) console.log("watching");
    await sleep(ms, undefined, signal && { signal });
  },
  stopped,
  variables,
  print: () => {},
};

async function run(args: readonly string[], how: Io): Promise<string> {
  const options = parseOptions(args, false)!;
  const result: unknown = await deploy(options, readTarget("production", variables, config), how).catch(
    (error) => error,
  );
  return result instanceof Error ? result.message : "deployed";
}

if (moment === "watch") await run([], io);
if (moment === "upload") {
  // What a deployment that Workers Free refused has left: a namespace that has to be named.
  account.trouble.plan = "free";
  await run([], { ...io, run: account.run });
  account.trouble.plan = "paid";
}
const before = account.contents();
const failure = await run(moment === "watch" ? ["--gradual"] : [], io);
const left = files.filter((file) => existsSync(file));
console.log(JSON.stringify({ failure, before, after: account.contents(), left }));
