import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { ZipFile } from "yazl";
import type { SdkId } from "../../contract/sdks.ts";
import { ROOT } from "../local/run.ts";

/** How one SDK is built and tested with the tools of its language. */
export interface SdkToolchain {
  readonly id: SdkId;
  /** The runs of the conformance suite that have to take place. */
  readonly runs: readonly string[];
  /** Debian's packages that bring the tools. */
  readonly debianPackages: readonly string[];
  /** The tools' versions in a few words, or null where they are missing. */
  version(): Promise<string | null>;
  /** What has to be in the environment for the tools to be found, where Debian does not put them on the path. */
  env?(): Promise<Readonly<Record<string, string>>>;
  /** Builds the package to where `file` of contract/sdks.ts says, below the folder `out`. Builds of the same source are the same bytes. */
  build(out: string): Promise<void>;
  /**
   * Runs the language's own checks and tests, against the package that `build` has put below `built`.
   * `env` has CHECKLINE_CONFORMANCE_URL. @throws Error with what was printed.
   */
  test(built: string, env: Readonly<Record<string, string>>): Promise<void>;
}

/** The folder of an SDK. */
export function sdkFolder(id: SdkId): string {
  return join(ROOT, "sdks", id);
}

/** The day of the release, which entries of a package have as their time, so that a build has nothing of the day it is made on. */
export const RELEASED = "2026-11-21T00:00:00Z";

/** The same for tools that follow the variable SOURCE_DATE_EPOCH, in seconds. */
export const SOURCE_DATE_EPOCH = String(Date.parse(RELEASED) / 1000);

/**
 * A zip file without folders, entries in the order given. They are not compressed and have the earliest time that the format knows, so
 * that the same sources are the same bytes whatever zlib and time zone a machine has.
 */
export async function zip(entries: readonly { readonly name: string; readonly data: Buffer }[]): Promise<Buffer> {
  const file = new ZipFile();
  const options = { mtime: new Date(0), forceDosTimestamp: true, mode: 0o100644, compress: false };
  for (const { name, data } of entries) file.addBuffer(data, name, options);
  file.end();
  return buffer(file.outputStream);
}

/** Does something in a new folder, which is removed afterwards. */
export async function inTemporaryFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "checkline-sdk-"));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program to its end and gives what it printed. @throws Error with what it printed when it fails or is missing. */
export async function run(command: string, args: readonly string[], { cwd, env = {} }: RunOptions): Promise<string> {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}:\n${output}`);
  return output;
}

/** The first line that a program prints about its version, or null where there is no such program. */
export async function versionOf(command: string, ...args: string[]): Promise<string | null> {
  try {
    return (await run(command, args, { cwd: ROOT })).trim().split("\n")[0] ?? null;
  } catch {
    return null;
  }
}
