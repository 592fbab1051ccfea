import { spawn, spawnSync } from "node:child_process";
import { delimiter, dirname } from "node:path";

export interface Outcome {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program in a folder until it ends, with the tests' Node first in its path. */
export function run(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<Outcome> {
  const path = `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`;
  // Go would otherwise download its preferred toolchain.
  const env = { ...process.env, PATH: path, GOTOOLCHAIN: "local", NODE_OPTIONS: "", ...options.env };
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: options.cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.on("error", reject);
    child.on("close", (exit) => resolve({ exit, stdout, stderr }));
  });
}

/** How to check whether a program exists and meets the samples' requirements. */
const PROBES: Readonly<Record<string, readonly [command: string, ...args: string[]]>> = {
  curl: ["curl", "--version"],
  dart: ["dart", "--version"],
  go: ["go", "version"],
  gofmt: ["gofmt", "-h"],
  java: ["javac", "-version"],
  javac: ["javac", "-version"],
  php: ["php", "-r", "exit(extension_loaded('curl') ? 0 : 1);"],
  python3: ["python3", "--version"],
  ruby: ["ruby", "--version"],
};

const known = new Map<string, string | null>();

function probe(program: string): string | null {
  const asked = PROBES[program];
  if (asked === undefined) return null;
  const [command, ...args] = asked;
  const { error, status } = spawnSync(command, args, { stdio: "ignore" });
  if (error !== undefined) return `${command} is not installed here.`;
  // gofmt's help exits with 2.
  return status === 0 || program === "gofmt" ? null : `${command} is installed here without what the samples need.`;
}

/** Why a program can't run here; null if it can, or if unknown. */
export function whyMissing(program: string): string | null {
  if (!known.has(program)) known.set(program, probe(program));
  return known.get(program)!;
}
