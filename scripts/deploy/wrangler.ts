import { stripVTControlCharacters } from "node:util";
import { startTool } from "../local/run.ts";

export interface WranglerRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs wrangler to its end. Tests put a stand-in here. */
export type RunWrangler = (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<WranglerRun>;

/** Makes wrangler ask nothing, and print what is read here. */
const SETTINGS = { CI: "true", WRANGLER_LOG: "log", WRANGLER_HIDE_BANNER: "true", WRANGLER_SEND_METRICS: "false" };

/** Runs the wrangler that the project has installed. A deployment that is stopped lets it finish. */
export const runWrangler: RunWrangler = async (args, env = {}) => {
  const child = startTool("wrangler", args, { stdio: "pipe", detached: true, env: { ...SETTINGS, ...env } });
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (chunk) => (stdout += chunk));
  child.stderr?.on("data", (chunk) => (stderr += chunk));
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once("error", reject).once("close", resolve),
  );
  return { code: code ?? 1, stdout, stderr };
};

/** Wrangler did not do what it was asked to. The message says why, in plain words where they are known. */
export class WranglerError extends Error {
  override readonly name = "WranglerError";
}

/** What to do about not being signed in. */
export const SIGN_IN = `You are not signed in to Cloudflare. Run: npx wrangler login
Where no browser is at hand, such as in CI, set CLOUDFLARE_API_TOKEN instead, a token that may edit Workers scripts, Workers KV, D1
and Queues.`;

const PAID = `Checkline needs the Workers Paid plan (5 USD a month), and this account has Workers Free. Hashing a password takes more than
the 10 ms of processor time that Workers Free gives a request. Change the plan in Cloudflare's dashboard under Workers & Pages, Plans,
and run this again.`;

/** What Cloudflare and wrangler say, and what that means here. */
const KNOWN: readonly (readonly [pattern: RegExp, meaning: string])[] = [
  // CPU limits, and in accounts of before February 2026 queues, are refused on Workers Free.
  [/\[code: (100328|100129)\]/, PAID],
  [
    /\[code: 11002\]/,
    "Queues have to be enabled once for this account: open Queues in Cloudflare's dashboard, then run this again.",
  ],
  [/necessary to set a CLOUDFLARE_API_TOKEN|not authenticated|not logged in/i, SIGN_IN],
  [
    /\[code: 10000\]|\[code: 9109\]/,
    "Cloudflare refuses this sign-in or token. It has to be allowed to edit Workers scripts, Workers KV, D1 and Queues of the account.",
  ],
  [
    /register a workers\.dev subdomain/i,
    "This account has no workers.dev subdomain yet. Open Workers & Pages in Cloudflare's dashboard once, which makes one, then run this again.",
  ],
];

/** What wrangler wrote after "[ERROR]", without colours and without where it keeps its logs. */
function errorText(output: string): string {
  const plain = stripVTControlCharacters(output);
  const start = plain.indexOf("[ERROR]");
  const text = start === -1 ? plain : plain.slice(start + "[ERROR]".length);
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("🪵") && !line.startsWith("If you think this is a bug"))
    .join("\n");
}

/** The meaning of a failed run. */
export function explain({ stdout, stderr }: WranglerRun): string {
  const output = `${stderr}\n${stdout}`;
  const meaning = KNOWN.find(([pattern]) => pattern.test(output))?.[1];
  return meaning ?? errorText(stderr.trim() === "" ? stdout : stderr);
}

export interface Wrangler {
  /** Runs a command in the environment, whatever comes of it. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<WranglerRun>;
  /** Runs a command in the environment. Returns what it printed. @throws WranglerError when it fails. */
  call(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>;
  /** Runs a command that prints JSON. @throws WranglerError when it fails. */
  json<T>(args: readonly string[]): Promise<T>;
  /** The same, or null when it fails in the way that means that there is no such thing. */
  find(args: readonly string[], missing: RegExp): Promise<string | null>;
}

/** JSON after whatever wrangler may have printed before it. */
export function parseJson<T>(output: string): T {
  const start = output.search(/^[[{]/m);
  return JSON.parse(output.slice(start === -1 ? 0 : start)) as T;
}

/** What names an environment of wrangler.toml on its command line; null is the top level. */
export function environmentFlag(environment: string | null): string {
  return `--env=${environment ?? ""}`;
}

/** Wrangler in an environment of wrangler.toml; null is its top level. */
export function wranglerIn(environment: string | null, runIt: RunWrangler): Wrangler {
  const run: RunWrangler = (args, env) => runIt([...args, environmentFlag(environment)], env);
  async function call(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string> {
    const result = await run(args, env);
    if (result.code !== 0) throw new WranglerError(explain(result));
    return result.stdout;
  }
  return {
    run,
    call,
    json: async <T>(args: readonly string[]) => parseJson<T>(await call(args)),
    async find(args, missing) {
      const result = await run(args);
      if (result.code === 0) return result.stdout;
      if (missing.test(result.stderr + result.stdout)) return null;
      throw new WranglerError(explain(result));
    },
  };
}
