/**
 * Operator commands: `npm run admin -- [--remote [--env NAME]] [--json] <command>`; without a command it lists them.
 * Exit code 0 on success, 1 on failure, 2 for an invalid command line.
 */
import { parseInvocation, USAGE } from "./admin/arguments.ts";
import { failureText } from "../worker/platform/log.ts";
import { runMain } from "./arguments.ts";
import { stayLocal } from "./local/run.ts";

/** An error message for an operator, without query parameters, which may be personal. */
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
  // Loading wrangler takes a second, which usage texts don't need.
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

// Wrangler and the queues' consumers log there; standard output is only for the command's output.
console.log = console.error;
process.env["WRANGLER_LOG"] ??= "error";
stayLocal();
await runMain(() => main(process.argv.slice(2)), { usage: USAGE, explain });
