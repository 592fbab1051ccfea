/** Deploys Checkline to Cloudflare: `npm run deploy`. */
import { ENVIRONMENTS, oneOf, parseArguments, runMain } from "./arguments.ts";
import { deploy } from "./deploy/steps.ts";
import type { Io } from "./wrangler.ts";
import { CONFIG } from "./wrangler-config.ts";

const USAGE = `Usage: npm run deploy -- [--env production|staging] [--dry-run]

  --env      the environment of wrangler.toml; default: production
  --dry-run  builds, prints every step, and runs wrangler's own dry run; contacts no account
  --config   a file to use instead of wrangler.toml

Settings come from the environment's vars in wrangler.toml. These variables of the shell override them: PUBLIC_ORIGIN,
MAIL_DRIVER, MAIL_FROM, BREACH_CHECK. OPERATOR is named in the privacy policy. SESSION_SECRET,
TRIAL_SECRET and RESEND_API_KEY are uploaded only when the worker has none.
`;

/**
 * Runs the command.
 * @param args without the program's name
 * @throws UsageError for invalid arguments; Error with the failure and the current state
 */
export async function main(args: readonly string[], io: Io): Promise<void> {
  const { values } = parseArguments({
    args: [...args],
    options: {
      env: { type: "string" },
      "dry-run": { type: "boolean", default: false },
      config: { type: "string", default: CONFIG },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return io.print(USAGE);
  const { env, config, "dry-run": dryRun } = values;
  // The Deploy to Cloudflare button fills in the top level of wrangler.toml, so Workers Builds deploys that.
  const usual = io.env["WORKERS_CI"] === "1" ? null : ENVIRONMENTS[0];
  await deploy({ environment: env === undefined ? usual : oneOf("--env", ENVIRONMENTS, env), dryRun, config }, io);
}

if (import.meta.main) {
  const controller = new AbortController();
  // Ignores further signals: rolling back takes time.
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => controller.abort(new Error(`Stopped by ${name}.`)));
  }
  const print = (text: string) => void process.stdout.write(text);
  const io = { env: process.env, print, stopped: controller.signal, pauseMs: 5_000 };
  await runMain(() => main(process.argv.slice(2), io), { usage: USAGE });
}
