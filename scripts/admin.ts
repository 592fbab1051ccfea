/**
 * Operator commands: `npm run admin -- [--remote [--env NAME]] [--json] <command>`; `--help` lists them.
 * Exit code 0 on success, 1 on failure and if health has something in capitals, 2 for an invalid command line.
 */
import { createInterface } from "node:readline/promises";
import { format } from "node:util";
import { failureText } from "../worker/platform/log.ts";
import { parseInvocation, USAGE } from "./admin/arguments.ts";
import type { Outcome } from "./admin/commands.ts";
import { checkPublicAddress } from "./admin/public-address.ts";
import { runMain, UsageError } from "./arguments.ts";
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

/** Asks for the email before an account is erased. @throws unless it is typed */
async function confirmDeletion(email: string, database: string): Promise<void> {
  if (!process.stdin.isTTY) throw new UsageError("Without a terminal, where it can be confirmed, delete needs --yes.");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const question = `This erases ${email} from the ${database} database, with its keys and usage, for good.\nType the email to confirm: `;
  const typed = await terminal.question(question);
  terminal.close();
  if (typed.trim().toLowerCase() !== email) throw new Error("That is another email. Nothing was deleted.");
}

/** @returns the exit code */
async function main(args: readonly string[]): Promise<number> {
  const { command, remote, json } = parseInvocation(args);
  const print = ({ text, data, isFine = true }: Outcome) => {
    process.stdout.write(json ? `${JSON.stringify(data, null, 2)}\n` : text);
    return isFine ? 0 : 1;
  };
  if (command === null) {
    process.stdout.write(USAGE);
    return 0;
  }
  if (command.name === "public-health") {
    return print(await checkPublicAddress(command.origin));
  }
  if (command.name === "delete" && !command.yes) await confirmDeletion(command.email, remote ?? "local");
  // Loading wrangler takes a second, which the above doesn't need.
  const { openPlatform } = await import("./admin/platform.ts");
  const { runCommand } = await import("./admin/commands.ts");
  const platform = await openPlatform(remote);
  try {
    return print(await runCommand(command, platform));
  } finally {
    await platform.dispose();
  }
}

// Wrangler and the worker's code log to standard error, after the command's output.
const logged: string[] = [];
console.log = console.error = (...values: unknown[]) => void logged.push(`${format(...values)}\n`);
process.env["WRANGLER_LOG"] ??= "error";
stayLocal();
await runMain(() => main(process.argv.slice(2)), { usage: USAGE, explain });
process.stderr.write(logged.join(""));
