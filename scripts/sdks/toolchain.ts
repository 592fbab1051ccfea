import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SdkId } from "../../sdks/packages.ts";
import { run } from "../local/run.ts";

/** Builds and tests one SDK with its language's tools. */
export interface SdkToolchain {
  readonly id: SdkId;
  /** The required runs of the conformance suite. */
  readonly runs: readonly string[];
  /** Debian packages with the tools. */
  readonly debianPackages: readonly string[];
  /** A short text with the tools' versions, or null if missing. */
  version(): Promise<string | null>;
  /** The environment for finding the tools, if Debian does not put them on the path. */
  env?(): Promise<Readonly<Record<string, string>>>;
  /**
   * Builds the package to the path `file` of sdks/packages.ts below the folder `out`. Reproducible: the same sources
   * produce the same bytes.
   */
  build(out: string): Promise<void>;
  /**
   * Runs the language's own checks and tests, against the package that `build` put below `built`. `env` has
   * CHECKLINE_CONFORMANCE_URL. @throws Error with the output.
   */
  test(built: string, env: Readonly<Record<string, string>>): Promise<void>;
}

/** The release date, used as the time of package entries, so that a build does not depend on the day. */
export const RELEASED = "2026-11-21T00:00:00Z";

/** The same for tools that use the variable SOURCE_DATE_EPOCH, in seconds. */
export const SOURCE_DATE_EPOCH = String(Date.parse(RELEASED) / 1000);

/** Runs `work` in a new folder, which is removed afterward. */
export async function inTemporaryFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "checkline-sdk-"));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The first line of a program's version output, or null if there is no such program. */
export async function versionOf(command: string, ...args: string[]): Promise<string | null> {
  try {
    return (await run(command, args)).trim().split("\n")[0] ?? null;
  } catch {
    return null;
  }
}
