import { join } from "node:path";
import { ROOT } from "../local/run.ts";
import { buildScripts } from "./build.ts";
import type { Io } from "./deployment.ts";
import type { Target } from "./target.ts";
import { environmentFlag, explain } from "./wrangler.ts";

/**
 * Builds, which wrangler's dry run needs, and runs that: it bundles and checks everything, and calls nobody.
 * @throws when something fails, or when it is stopped
 */
export async function dryRun({ environment, settings }: Target, io: Io): Promise<void> {
  const origin = settings["PUBLIC_ORIGIN"];
  for (const script of buildScripts()) {
    io.print(`  npm run ${script} … `);
    await io.build(script, origin === undefined ? {} : { PUBLIC_ORIGIN: origin }, io.stopped);
    io.print("done\n");
  }
  const folder = join(ROOT, "build/deploy");
  const args = ["deploy", "--dry-run", "--outdir", folder, environmentFlag(environment)];
  const result = await io.run(args);
  io.stopped.throwIfAborted();
  if (result.code !== 0) throw new Error(`Wrangler's dry run fails:\n${explain(result)}`);
  io.print(
    `\n${result.stdout.trim()}\n\nThe dry run passes. Nothing was asked of any account, and nothing was changed.\n`,
  );
}
