import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { ROOT } from "./local/run.ts";

interface RunOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Lets the command use this terminal and ask questions. Only what it prints as an error is returned too. */
  readonly terminal?: boolean;
}

/** Runs a command in the repository's root. Returns its exit code and output. */
export async function run(command: string, args: readonly string[], { env, terminal = false }: RunOptions) {
  const stdio = terminal ? (["inherit", "inherit", "pipe"] as const) : (["ignore", "pipe", "pipe"] as const);
  const child = spawn(command, args, { env, cwd: ROOT, stdio: [...stdio] });
  let [stdout, stderr] = ["", ""];
  child.stdout?.on("data", (chunk) => (stdout += chunk));
  child.stderr?.on("data", (chunk) => {
    stderr += chunk;
    if (terminal) process.stderr.write(chunk);
  });
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once("error", reject).once("close", resolve),
  );
  return { code, stdout, stderr };
}

export const PERMISSIONS = `The login, or the token in CLOUDFLARE_API_TOKEN, needs these permissions: Workers Scripts, Workers KV Storage,
D1, and Queues (Edit) for the account, and for a custom domain also Workers Routes (Edit) for its zone.`;

/** Errors of wrangler and Cloudflare that need an explanation. */
const KNOWN: readonly (readonly [pattern: RegExp, meaning: string])[] = [
  [
    // Workers Free rejects CPU limits, queues that keep messages for two weeks, and in older accounts all queues.
    /\[code: (100328|100128|100129)\]|queue settings are invalid/,
    `Checkline needs the Workers Paid plan (5 USD per month), and this account has Workers Free. Hashing a password takes more
than the 10 ms of CPU time that Workers Free allows. Change the plan in Cloudflare's dashboard under Workers & Pages, Plans.`,
  ],
  [/\[code: 11002\]/, "Queues are off in this account. Open Queues in Cloudflare's dashboard once to enable them."],
  [
    /necessary to set a CLOUDFLARE_API_TOKEN|not authenticated|not logged in/i,
    `You are not logged in to Cloudflare. Run: npx wrangler login\nWithout a browser, as in CI, set CLOUDFLARE_API_TOKEN. ${PERMISSIONS}`,
  ],
  [/\[code: (10000|9109)\]/, `Cloudflare rejects this login. ${PERMISSIONS}`],
  [
    /register a workers\.dev subdomain|workers\/subdomain.*\[code: 10007\]/i,
    "This account has no workers.dev subdomain. Open Workers & Pages in Cloudflare's dashboard once to create it.",
  ],
];

/** Why wrangler failed: an explanation if there is one, else its error message. */
export function explain(output: string): string {
  const meaning = KNOWN.find(([pattern]) => pattern.test(output))?.[1];
  const [, text = output] = stripVTControlCharacters(output).split("[ERROR]");
  return meaning ?? text.replaceAll(/^(🪵|If you think this is a bug).*$/gm, "").trim();
}

/** Parses JSON that may follow other text. */
export function parseOutput<T>(output: string): T {
  return JSON.parse(output.slice(output.search(/^[[{]/m))) as T;
}

export type Wrangler = ReturnType<typeof wranglerFor>;

/**
 * The `wrangler` on the PATH, which under npm is the project's.
 * @param fixed arguments of every command
 */
export function wranglerFor(
  fixed: readonly string[],
  io: { readonly env: NodeJS.ProcessEnv; readonly run: typeof run },
) {
  const settings = { CI: "true", WRANGLER_LOG: "log", WRANGLER_HIDE_BANNER: "true", WRANGLER_SEND_METRICS: "false" };
  const PATH = `${io.env["PATH"]}${delimiter}${join(ROOT, "node_modules/.bin")}`;

  /**
   * Runs a command and returns its output, or null when the error means that something does not exist.
   * @throws Error with the reason it failed
   */
  async function find(args: readonly string[], missing: RegExp | null, options: Partial<RunOptions> = {}) {
    const env = { ...io.env, PATH, ...settings, ...options.env };
    const { code, stdout, stderr } = await io.run("wrangler", [...args, ...fixed], { ...options, env });
    if (code === 0) return stdout;
    if (missing?.test(stderr + stdout)) return null;
    throw new Error(explain(stderr.trim() === "" ? stdout : stderr) || `wrangler ${args[0]} ended with code ${code}.`);
  }
  return {
    find,
    /** As `find`, for what exists. */
    call: async (args: readonly string[], options?: Partial<RunOptions>) => (await find(args, null, options)) ?? "",
    /** Runs a command that prints JSON. */
    read: async <T>(args: readonly string[]) => parseOutput<T>((await find(args, null)) ?? ""),
  };
}
