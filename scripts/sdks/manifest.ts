import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sdkFiles, sdkFolder } from "../../sdks/files.ts";
import { sdkWithId } from "../../sdks/packages.ts";
import type { SdkId } from "../../sdks/packages.ts";
import { ROOT } from "../local/run.ts";
import { sharedFiles } from "./files.ts";

/**
 * The built packages that the site serves. Committed, so that a machine without the seven toolchains serves them too.
 */
export const PACKAGES = join(ROOT, "web/public/sdks");

/** The digests of each package, by the SDK's id. */
export const MANIFEST = join(ROOT, "sdks/packages.json");

export interface BuiltPackage {
  /** SHA-256 of the sources it was built from, in hexadecimal. */
  readonly sources: string;
  /** SHA-256 of the package itself. */
  readonly sha256: string;
  readonly bytes: number;
}

/**
 * SHA-256 of the sources that an SDK's package is built from, excluding tests: paths and contents, in hexadecimal.
 * Shared files count, with their paths in the repository.
 */
export function sourceDigest(id: SdkId): string {
  const hash = createHash("sha256");
  function add(path: string, folder: string): void {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(folder, path)))
      .update("\0");
  }
  for (const path of sdkFiles(id).filter((file) => !/^(src\/)?(tests?|spec)\//.test(file))) add(path, sdkFolder(id));
  for (const path of sharedFiles(id)) add(path, ROOT);
  return hash.digest("hex");
}

/** A built package below a folder. @throws Error when it is missing. */
export function describePackage(id: SdkId, folder: string): BuiltPackage {
  const file = sdkWithId(id).file;
  const bytes = readFileSync(join(folder, file));
  return {
    sources: sourceDigest(id),
    sha256: createHash("sha256").update(bytes).digest("hex"),
    bytes: bytes.length,
  };
}
