import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

/** The repository's root folder. */
export const ROOT = join(import.meta.dirname, "../..");

/** The script behind a package's command, to run it with this Node on any system. */
function commandScript(packageName: string, command: string): string {
  const manifest = require.resolve(`${packageName}/package.json`, { paths: [ROOT] });
  const { bin } = JSON.parse(readFileSync(manifest, "utf8")) as { bin: string | Record<string, string> };
  const script = typeof bin === "string" ? bin : bin[command];
  if (script === undefined) throw new Error(`${packageName} has no command ${command}`);
  return join(dirname(manifest), script);
}

/** The package that provides each tool's command. */
const TOOLS = { wrangler: "wrangler", "react-router": "@react-router/dev" } as const;

/**
 * Keeps local runs off the network, without telemetry, and without traces, which contain URLs: this process, and every
 * tool it starts.
 */
export function stayLocal(): void {
  process.env["X_LOCAL_OBSERVABILITY"] = "false";
  process.env["WRANGLER_SEND_METRICS"] = "false";
  process.env["CLOUDFLARE_CF_FETCH_ENABLED"] = "false";
  process.env["WRANGLER_HIDE_BANNER"] = "true";
}

interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs a program silently and returns its output. The program ends with this process.
 * @throws Error with its output when it fails or is missing
 */
export async function run(command: string, args: readonly string[], { cwd = ROOT, env = {} }: RunOptions = {}) {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  const end = () => child.kill();
  process.once("exit", end);
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  process.off("exit", end);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}:\n${output}`);
  return output;
}

/** Runs one of the project's tools. @throws as `run` */
export async function runTool(tool: keyof typeof TOOLS, args: readonly string[], options: RunOptions = {}) {
  const env = { ...options.env, CI: "true" };
  await run(process.execPath, [commandScript(TOOLS[tool], tool), ...args], { ...options, env });
}

/** Starts one of the project's tools in this terminal. */
export function startTool(tool: keyof typeof TOOLS, args: readonly string[], { cwd, env }: RunOptions): ChildProcess {
  return spawn(process.execPath, [commandScript(TOOLS[tool], tool), ...args], {
    cwd,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...env },
  });
}
