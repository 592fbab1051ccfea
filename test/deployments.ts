import { expect } from "vitest";
import { parseOptions } from "../scripts/deploy/arguments.ts";
import type { Io } from "../scripts/deploy/deployment.ts";
import { deploy, describePlan } from "../scripts/deploy/run.ts";
import { temporaryAccount } from "../scripts/deploy/smoke-account.ts";
import { readTarget } from "../scripts/deploy/target.ts";
import { createAccount } from "./cloudflare-account.ts";

export const ORIGIN = "https://checkline.ada.workers.dev";
export const GRADUAL = ["--gradual", "--watch", "3"];

/**
 * An account, and deployments into it as `npm run deploy` makes them.
 * @param config the path of what takes the place of wrangler.toml
 */
export function startAccount(config: string) {
  const account = createAccount();
  const printed: string[] = [];
  const built: string[] = [];
  const sleeps: number[] = [];
  const noSignal = new AbortController().signal;
  let onSleep = () => {};

  function ioWith(variables: Record<string, string>): Io {
    return {
      run: account.run,
      fetch: account.fetch,
      build: async (script, settings) => void built.push([script, ...Object.values(settings)].join(" ")),
      sleep: async (ms) => {
        sleeps.push(ms);
        onSleep();
      },
      stopped: noSignal,
      variables,
      print: (text) => void printed.push(text),
    };
  }

  async function run(args: readonly string[] = [], variables: Record<string, string> = {}): Promise<void> {
    const options = parseOptions(args, false)!;
    await deploy(options, readTarget(options.environment, variables, config), ioWith(variables));
  }

  /** A test key of the operator's own, in a deployed production. */
  async function makeKey(): Promise<string> {
    const { key, statements } = temporaryAccount(Date.now());
    await account.run(["d1", "execute", "--command", statements.join("; "), "--env=production"]);
    account.commands.pop();
    return key;
  }

  return {
    ...account,
    makeKey,
    built,
    sleeps,
    run,
    gradually: () => run(GRADUAL, { PUBLIC_ORIGIN: ORIGIN }),
    whileAsleep: (what: () => void) => void (onSleep = what),
    output: () => printed.join(""),
    /** What a deployment fails with. */
    failure: async (args?: readonly string[], variables?: Record<string, string>) => {
      const error: unknown = await run(args, variables).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Error);
      return (error as Error).message;
    },
    plan: (args: readonly string[], variables: Record<string, string> = {}) => {
      const options = parseOptions(args, false)!;
      return describePlan(options, readTarget(options.environment, variables, config), ioWith(variables));
    },
  };
}

/** An account in which a version runs. */
export async function startDeployed(config: string) {
  const account = startAccount(config);
  await account.run();
  const before = account.contents();
  account.commands.length = 0;
  account.traffic.length = 0;
  account.sleeps.length = 0;
  return { ...account, before };
}
