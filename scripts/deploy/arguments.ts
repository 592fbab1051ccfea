import { parseArgs } from "node:util";

/** The environments of wrangler.toml that can be deployed. */
export const ENVIRONMENTS = ["production", "staging"] as const;
export type EnvironmentName = (typeof ENVIRONMENTS)[number];

export interface Options {
  /** Null for the top level of wrangler.toml, which Workers Builds has filled in after the Deploy to Cloudflare button. */
  readonly environment: EnvironmentName | null;
  readonly dryRun: boolean;
  /** A tenth of the traffic first, all of it after a while without a fault. */
  readonly gradual: boolean;
  /** How long a tenth of the traffic is watched, in minutes. */
  readonly watchMinutes: number;
}

/** A command line that nothing can be made of. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export const USAGE = `Usage: npm run deploy -- [--env production|staging] [--dry-run] [--gradual [--watch MINUTES]]

  --env       the environment of wrangler.toml; production unless told otherwise
  --dry-run   prints every step and runs wrangler's own dry run; asks and changes nothing in any account
  --gradual   gives the new version a tenth of the traffic, watches it, and only then gives it all; needs PUBLIC_ORIGIN
  --watch     for how many minutes it is watched, 1 to 60; 10 unless told otherwise

Settings come from the environment's vars in wrangler.toml, or from variables of this shell, which count more:
PUBLIC_ORIGIN, MAIL_DRIVER, MAIL_FROM; OPERATOR for the privacy policy; RESEND_API_KEY and SESSION_SECRET where the worker has
none yet; CHECKLINE_SMOKE_KEY, a test key of yours, to test with instead of a temporary account's.
`;

const OPTIONS = {
  env: { type: "string" },
  "dry-run": { type: "boolean", default: false },
  gradual: { type: "boolean", default: false },
  watch: { type: "string" },
  help: { type: "boolean", short: "h", default: false },
} as const;

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // Node explains at length; its first sentence says what is wrong.
    throw new UsageError(`${message.split(". ")[0]!.replace(/\.$/, "")}.`, { cause: error });
  }
}

function parseMinutes(text: string): number {
  const minutes = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (minutes >= 1 && minutes <= 60) return minutes;
  throw new UsageError(`--watch must be a whole number of minutes from 1 to 60, not ${JSON.stringify(text)}.`);
}

/**
 * Reads a command line, without the program's own name. Returns null when only the usage text is wanted.
 * @param inWorkersBuilds whether Cloudflare runs this in its own build system
 * @throws UsageError whose message says what is wrong with it.
 */
export function parseOptions(args: readonly string[], inWorkersBuilds: boolean): Options | null {
  const { env, "dry-run": dryRun, gradual, watch, help } = parse(args);
  if (help) return null;
  const environment = ENVIRONMENTS.find((name) => name === env);
  if (env !== undefined && environment === undefined) {
    throw new UsageError(`--env must be ${ENVIRONMENTS.join(" or ")}, not ${JSON.stringify(env)}.`);
  }
  if (watch !== undefined && !gradual) throw new UsageError("--watch goes with --gradual.");
  return {
    environment: environment ?? (inWorkersBuilds ? null : "production"),
    dryRun,
    gradual,
    watchMinutes: parseMinutes(watch ?? "10"),
  };
}
