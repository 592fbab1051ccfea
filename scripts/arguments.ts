import { parseArgs } from "node:util";
import type { ParseArgsConfig } from "node:util";

/** The environments of wrangler.toml that can be deployed. Here, since loading wrangler takes a second. */
export const ENVIRONMENTS = ["production", "staging"] as const;
export type EnvironmentName = (typeof ENVIRONMENTS)[number];

/** A command line that cannot be carried out. Its message is for the person who typed it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/**
 * Reads a command line as `parseArgs` of node:util does.
 * @param args without Node and the program's own name; `process.argv.slice(2)` when left out
 * @throws UsageError for unknown options, missing values and unexpected arguments
 */
export function parseArguments<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    // Node explains at length; its first sentence says what is wrong.
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${message.split(". ")[0]!.replace(/\.$/, "")}.`, { cause: error });
  }
}

/** The one of `allowed` that was typed. @throws UsageError naming `what`, such as "--env", when it is none of them */
export function oneOf<T extends string>(what: string, allowed: readonly T[], text: string): T {
  const found = allowed.find((name) => name === text);
  if (found !== undefined) return found;
  throw new UsageError(`${what} must be ${allowed.join(" or ")}, not ${JSON.stringify(text)}.`);
}

/** A number that was typed, above 0. @throws UsageError naming `what` when it is none, above `most`, or not whole where it must be */
export function numberUpTo(what: string, most: number, text: string, { whole = true } = {}): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (value > 0 && value <= most && (!whole || Number.isInteger(value))) return value;
  const kind = whole ? "whole number" : "number";
  throw new UsageError(`${what} must be a ${kind} above 0 and at most ${most}, not ${JSON.stringify(text)}.`);
}

/**
 * Runs a command to its end and sets the process's exit code: what `main` returns, 2 for a UsageError, 1 for any other.
 * Prints errors, and for a UsageError also `usage`.
 */
export async function runMain(
  main: () => Promise<number | void>,
  { usage = "", explain = messageOf }: { readonly usage?: string; readonly explain?: (error: unknown) => string } = {},
): Promise<void> {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    if (error instanceof UsageError && usage !== "") process.stderr.write(`\n${usage}`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
