import { parseArgs } from "node:util";
import type { ParseArgsConfig } from "node:util";

/** The environments in wrangler.toml that can be deployed. Defined here, since loading wrangler takes a second. */
export const ENVIRONMENTS = ["production", "staging"] as const;
export type EnvironmentName = (typeof ENVIRONMENTS)[number];

/** An invalid command line. Its message is for the person who typed it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** The usage to print, if not the program's. */
  usage?: string;
}

/**
 * Parses a command line with `parseArgs` of node:util.
 * @param args without Node and the program's own name; `process.argv.slice(2)` by default
 * @throws UsageError for unknown options, missing values, and unexpected arguments
 */
export function parseArguments<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    // Node's messages are long; the first sentence is enough.
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${message.split(". ")[0]!.replace(/\.$/, "")}.`, { cause: error });
  }
}

/** The typed value, if allowed. @throws UsageError naming `what`, such as "--env", otherwise */
export function oneOf<T extends string>(what: string, allowed: readonly T[], text: string): T {
  const found = allowed.find((name) => name === text);
  if (found !== undefined) return found;
  throw new UsageError(`${what} must be ${allowed.join(" or ")}, not ${JSON.stringify(text)}.`);
}

/**
 * Parses a positive number. @throws UsageError naming `what` when it is not a number, exceeds `most`, or is fractional
 * where it must be whole
 */
export function numberUpTo(what: string, most: number, text: string, { whole = true } = {}): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (value > 0 && value <= most && (!whole || Number.isInteger(value))) return value;
  const kind = whole ? "whole number" : "number";
  throw new UsageError(`${what} must be a ${kind} above 0 and at most ${most}, not ${JSON.stringify(text)}.`);
}

/**
 * Runs a command and sets the process's exit code: what `main` returns, 2 for a UsageError, 1 for any other. Prints
 * errors, with `usage` for a UsageError.
 */
export async function runMain(
  main: () => Promise<number | void>,
  { usage = "", explain = messageOf }: { readonly usage?: string; readonly explain?: (error: unknown) => string } = {},
): Promise<void> {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    if (error instanceof UsageError && usage !== "") process.stderr.write(`\n${error.usage ?? usage}`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
