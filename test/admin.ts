import { parseInvocation } from "../scripts/admin/arguments.ts";
import { runCommand } from "../scripts/admin/commands.ts";
import type { Outcome } from "../scripts/admin/commands.ts";
import type { RunningWorker } from "./worker.ts";

/** Carries out an operator's command line on a worker's database. */
export function runAdmin({ db }: Pick<RunningWorker, "db">, ...args: string[]): Promise<Outcome> {
  return runCommand(parseInvocation(args).command!, { db, queues: {}, dispose: async () => {} }, Date.now());
}
