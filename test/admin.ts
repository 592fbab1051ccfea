import { parseInvocation } from "../scripts/admin/arguments.ts";
import type { Command } from "../scripts/admin/arguments.ts";
import { runCommand } from "../scripts/admin/commands.ts";
import type { Outcome } from "../scripts/admin/commands.ts";
import { platformOf } from "../scripts/admin/platform.ts";
import { TEST_SETTINGS } from "./worker.ts";
import type { RunningWorker } from "./worker.ts";

/** Runs an operator's command line on a worker's bindings. */
export async function runAdmin({ env }: Pick<RunningWorker, "env">, ...args: string[]): Promise<Outcome> {
  const origin = "https://checkline.test";
  const platform = platformOf({ ...TEST_SETTINGS, ...env }, { origin, queues: {}, dispose: async () => {} });
  try {
    return await runCommand(parseInvocation(args).command as Command, platform);
  } finally {
    await platform.dispose();
  }
}
