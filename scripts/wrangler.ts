import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { ROOT } from "./local/run.ts";

/** Runs a command in the repository's root. Returns its exit code and output. */
export async function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(command, args, { env, cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => (stdout += chunk));
  child.stderr.on("data", (chunk) => (stderr += chunk));
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once("error", reject).once("close", resolve),
  );
  return { code, stdout, stderr };
}

export const PERMISSIONS = `The login, or the token in CLOUDFLARE_API_TOKEN, needs these permissions: Workers Scripts, Workers KV Storage,
D1, and Queues (Edit) for the account, and for a custom domain also Workers Routes (Edit) for its zone.`;

/** Errors of wrangler and Cloudflare that don't say what to do. */
const KNOWN: readonly (readonly [pattern: RegExp, meaning: string])[] = [
  // Workers Free rejects CPU limits, and queues that keep messages for two weeks.
  [/\[code: 100328\]|queue settings are invalid/, "Checkline needs the Workers Paid plan (5 USD per month)."],
  [/\[code: (10000|9109)\]/, PERMISSIONS],
];

/** Why wrangler or Cloudflare refused, and what to do about it if that's known. */
export function explain(output: string): string {
  const [, text = output] = stripVTControlCharacters(output).split("[ERROR]");
  const reason = text.replaceAll(/^(🪵|If you think this is a bug).*$/gm, "").trim();
  const meaning = KNOWN.find(([pattern]) => pattern.test(output))?.[1];
  return meaning === undefined ? reason : `${reason}\n${meaning}`;
}

export type Wrangler = ReturnType<typeof wranglerFor>;

/** The project's `wrangler`. @param fixed arguments of every command */
export function wranglerFor(
  fixed: readonly string[],
  io: { readonly env: NodeJS.ProcessEnv; readonly run: typeof run },
) {
  const settings = { CI: "true", WRANGLER_LOG: "log", WRANGLER_HIDE_BANNER: "true", WRANGLER_SEND_METRICS: "false" };
  const PATH = `${join(ROOT, "node_modules/.bin")}${delimiter}${io.env["PATH"]}`;

  /** Runs a command and returns its output. @throws Error with the reason it failed */
  return async (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> => {
    const all = { ...io.env, PATH, ...settings, ...env };
    const { code, stdout, stderr } = await io.run("wrangler", [...args, ...fixed], all);
    if (code === 0) return stdout;
    throw new Error(explain(stderr.trim() === "" ? stdout : stderr) || `wrangler ${args[0]} ended with code ${code}.`);
  };
}
