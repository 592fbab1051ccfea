import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../local/run.ts";

/** The npm scripts that make what is deployed, in order. */
export function buildScripts(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  return ["build:sdks", "build"].filter((name) => name in scripts);
}

/** The names of what no build has to know, though the shell that deploys has it: all of Cloudflare's, and what is called a secret. */
const PRIVATE = /^(?:CLOUDFLARE|CF)_|(?:^|_)(?:TOKEN|SECRET|KEY|PASSWORD)(?:_NEXT)?$/i;

/** The shell's variables without what is private, and others. */
export function buildEnvironment(
  shell: Readonly<Record<string, string | undefined>>,
  variables: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  const harmless = Object.entries(shell).filter(([name]) => !PRIVATE.test(name));
  return { ...Object.fromEntries(harmless), ...variables };
}

/**
 * Runs an npm script to its end, silently, and without the secrets that this shell may have.
 * @param signal ends it
 * @throws with what it printed when it fails.
 */
export async function runScript(
  name: string,
  variables: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<void> {
  // npm names its own script to those that it starts; started by hand, it is on the PATH.
  const npm = process.env["npm_execpath"];
  const [command, args] = npm === undefined ? ["npm", ["run", name]] : [process.execPath, [npm, "run", name]];
  const child = spawn(command, args, {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    env: buildEnvironment(process.env, variables),
    signal,
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  if (code !== 0) throw new Error(`npm run ${name} failed:\n${output}`);
}
