/** Deploys Checkline to Cloudflare: `npm run deploy`. */
import { oneOf, parseArguments } from "./arguments.ts";
import { deploy } from "./deploy/steps.ts";
import type { Io } from "./wrangler.ts";
import { CONFIG, ENVIRONMENTS } from "./wrangler-config.ts";

const USAGE = `Usage: npm run deploy -- [--env production|staging] [--dry-run]

  --env      the environment of wrangler.toml; default: production
  --dry-run  builds, prints every step, and runs wrangler's own dry run; contacts no account
  --config   a file to use instead of wrangler.toml

Settings come from the environment's vars in wrangler.toml. These variables of the shell override them: PUBLIC_ORIGIN,
MAIL_DRIVER, MAIL_FROM, SECURITY_CONTACT, SECURITY_EXPIRES, BREACH_CHECK. OPERATOR is named in the privacy policy. SESSION_SECRET,
TRIAL_SECRET and RESEND_API_KEY are uploaded only when the worker has none.
`;

/** @throws Error that says what is wrong with the arguments. */
function parse(args: readonly string[], inWorkersBuilds: boolean) {
  const { values } = parseArguments({
    args: [...args],
    options: {
      env: { type: "string" },
      "dry-run": { type: "boolean", default: false },
      config: { type: "string", default: CONFIG },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const { env, "dry-run": dryRun, config, help } = values;
  const named = env === undefined ? undefined : oneOf("--env", ENVIRONMENTS, env);
  // The Deploy to Cloudflare button fills in the top level of wrangler.toml, so Workers Builds deploys that.
  return { environment: named ?? (inWorkersBuilds ? null : ENVIRONMENTS[0]), dryRun, config, help };
}

/**
 * Runs the command.
 * @param args without the program's name
 * @returns the exit code: 0, 1 when the deployment failed, 2 when the arguments are wrong
 */
export async function main(args: readonly string[], io: Io): Promise<number> {
  let options: ReturnType<typeof parse>;
  try {
    options = parse(args, io.env["WORKERS_CI"] === "1");
  } catch (error) {
    io.print(`${(error as Error).message}\n\n${USAGE}`);
    return 2;
  }
  try {
    if (options.help) io.print(USAGE);
    else await deploy(options, io);
    return 0;
  } catch (error) {
    io.print(`\n${(error as Error).message}\n`);
    return 1;
  }
}

if (import.meta.main) {
  const controller = new AbortController();
  // Further signals change nothing: rolling back takes its time.
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => controller.abort(new Error(`Stopped by ${name}.`)));
  }
  const print = (text: string) => void process.stdout.write(text);
  process.exitCode = await main(process.argv.slice(2), {
    env: process.env,
    print,
    stopped: controller.signal,
    pauseMs: 5_000,
  });
}
