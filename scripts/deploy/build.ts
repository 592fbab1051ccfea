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

/**
 * Runs an npm script to its end, silently.
 * @throws with what it printed when it fails.
 */
export async function runScript(name: string, variables: Readonly<Record<string, string>>): Promise<void> {
  // npm names its own script to those that it starts; started by hand, it is on the PATH.
  const npm = process.env["npm_execpath"];
  const [command, args] = npm === undefined ? ["npm", ["run", name]] : [process.execPath, [npm, "run", name]];
  const child = spawn(command, args, {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...variables },
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  if (code !== 0) throw new Error(`npm run ${name} failed:\n${output}`);
}
