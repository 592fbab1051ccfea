/**
 * Operator commands: `npm run admin -- [--remote [--env NAME]] [--json] <command>`; without a command it tells which there are.
 * Exit code 0 when done, 1 when it could not be done, 2 when the command line is wrong.
 */
import { parseInvocation, USAGE } from "./admin/arguments.ts";
import { failureText } from "../worker/platform/log.ts";
import { runMain } from "./arguments.ts";
import { stayLocal } from "./local/run.ts";

/** What went wrong, for an operator. A query's parameters may be personal, and are left out. */
function explain(thrown: unknown): string {
  const message = failureText(thrown);
  if (/no such table/.test(message)) {
    return `${message}\nThe database has no tables yet: run npm start once, or npm run deploy for the deployed one.`;
  }
  if (/SQLITE_BUSY|database is locked/.test(message)) return "The local database is busy. Try again.";
  return message;
}

async function main(args: readonly string[]): Promise<void> {
  const { command, remote, json } = parseInvocation(args);
  if (command === null) {
    process.stdout.write(USAGE);
    return;
  }
  // Loading wrangler takes a second, which usage texts do without.
  const { openPlatform } = await import("./admin/platform.ts");
  const { runCommand } = await import("./admin/commands.ts");
  const platform = await openPlatform(remote);
  try {
    const { text, data } = await runCommand(command, platform);
    process.stdout.write(json ? `${JSON.stringify(data, null, 2)}\n` : text);
  } finally {
    await platform.dispose();
  }
}

// Wrangler and the queues' consumers write their logs there; the output has standard output to itself.
console.log = console.error;
process.env["WRANGLER_LOG"] ??= "error";
stayLocal();
await runMain(() => main(process.argv.slice(2)), { usage: USAGE, explain });
