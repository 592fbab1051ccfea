import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { ROOT } from "./local/run.ts";

/** A deployment's inputs from its process. */
export interface Io {
  readonly env: NodeJS.ProcessEnv;
  print(text: string): void;
  /** Aborted when the deployment should stop and roll back. */
  readonly stopped: AbortSignal;
  /** Milliseconds between tries of the smoke test. */
  readonly pauseMs: number;
}

/** Runs a command in the repository's root. Returns its exit code and output. */
export async function run(
  command: string,
  args: readonly string[],
  options: { readonly env: NodeJS.ProcessEnv; readonly detached?: boolean; readonly signal?: AbortSignal },
) {
  const child = spawn(command, args, { ...options, cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => (stdout += chunk));
  child.stderr.on("data", (chunk) => (stderr += chunk));
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once("error", reject).once("close", resolve),
  );
  return { code, stdout, stderr };
}

const PERMISSIONS = "edit Workers scripts, Workers KV, D1 and Queues";

/** Errors of wrangler and Cloudflare that need an explanation. */
const KNOWN: readonly (readonly [pattern: RegExp, meaning: string])[] = [
  [
    // Workers Free rejects CPU limits, and in older accounts queues.
    /\[code: (100328|100129)\]/,
    `Checkline needs the Workers Paid plan (5 USD per month), and this account has Workers Free. Hashing a password takes more
than the 10 ms of CPU time that Workers Free allows. Change the plan in Cloudflare's dashboard under Workers & Pages, Plans.`,
  ],
  [/\[code: 11002\]/, "Queues are off in this account. Open Queues in Cloudflare's dashboard once to enable them."],
  [
    /necessary to set a CLOUDFLARE_API_TOKEN|not authenticated|not logged in/i,
    `You are not logged in to Cloudflare. Run: npx wrangler login
Without a browser, as in CI, set CLOUDFLARE_API_TOKEN to a token that may ${PERMISSIONS}.`,
  ],
  [/\[code: (10000|9109)\]/, `Cloudflare rejects this login. It must be allowed to ${PERMISSIONS} of the account.`],
  [
    /register a workers\.dev subdomain/i,
    "This account has no workers.dev subdomain. Open Workers & Pages in Cloudflare's dashboard once to create it.",
  ],
];

/** Why wrangler failed: an explanation if there is one, else its error message. */
function explain(output: string): string {
  const meaning = KNOWN.find(([pattern]) => pattern.test(output))?.[1];
  const [, text = output] = stripVTControlCharacters(output).split("[ERROR]");
  return meaning ?? text.replaceAll(/^(🪵|If you think this is a bug).*$/gm, "").trim();
}

export type Wrangler = ReturnType<typeof wranglerFor>;

/**
 * The `wrangler` on the PATH, which under npm is the project's. Prints every command.
 * @param fixed arguments of every command
 * @param dryRun runs nothing: finds nothing, and commands print nothing
 */
export function wranglerFor(fixed: readonly string[], { env, print }: Pick<Io, "env" | "print">, dryRun: boolean) {
  const settings = { CI: "true", WRANGLER_LOG: "log", WRANGLER_HIDE_BANNER: "true", WRANGLER_SEND_METRICS: "false" };
  const path = `${env["PATH"]}${delimiter}${join(ROOT, "node_modules/.bin")}`;

  /** Like `call`, but returns null when the error means that the resource does not exist. */
  async function find(args: readonly string[], missing: RegExp | null, more?: NodeJS.ProcessEnv) {
    print(`    wrangler ${args.map((arg) => (arg.includes(" ") ? "…" : arg)).join(" ")} ${fixed.at(-1)}\n`);
    if (dryRun && !args.includes("--dry-run")) return null;
    // Detached from Ctrl-C, since the effect of half a command would be unknown.
    const options = { env: { ...env, PATH: path, ...settings, ...more }, detached: true };
    const { code, stdout, stderr } = await run("wrangler", [...args, ...fixed], options);
    if (code === 0) return stdout;
    if (missing?.test(stderr + stdout)) return null;
    throw new Error(explain(stderr.trim() === "" ? stdout : stderr));
  }
  /** Runs a command and returns its output. @throws Error with the reason it failed. */
  async function call(args: readonly string[], more?: NodeJS.ProcessEnv): Promise<string> {
    return (await find(args, null, more)) ?? "";
  }
  /** Runs a command that prints a JSON array, perhaps after other text. */
  async function list<T>(args: readonly string[]): Promise<T[]> {
    const output = await call(args);
    return output === "" ? [] : (JSON.parse(output.slice(output.search(/^\[/m))) as T[]);
  }
  return { find, call, list };
}
