import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { ORIGIN } from "../../contract/origin.ts";
import { sdkFiles, sdkFolder } from "../../sdks/files.ts";
import type { SdkId } from "../../sdks/packages.ts";
import { ROOT } from "../local/run.ts";
import { inTemporaryFolder } from "./toolchain.ts";

/** The relative imports of a TypeScript file, as paths from the repository's root. */
function importsOf(path: string): string[] {
  const text = readFileSync(join(ROOT, path), "utf8");
  return [...text.matchAll(/ from "(\.[^"]+\.ts)"/g)].map(([, name]) => join(dirname(path), name!));
}

/** The files outside an SDK's folder that its sources import, directly or not: sorted paths in the repository. */
export function sharedFiles(id: SdkId): string[] {
  const own = relative(ROOT, sdkFolder(id));
  const found = new Set(
    sdkFiles(id)
      .filter((path) => path.endsWith(".ts"))
      .map((path) => join(own, path)),
  );
  for (const path of found) for (const imported of importsOf(path)) found.add(imported);
  return [...found].filter((path) => relative(own, path).startsWith("..")).toSorted();
}

/**
 * Runs `work` on a copy of an SDK's sources that uses the service at `PUBLIC_ORIGIN`, if set: packages contain the
 * address that serves them. Otherwise they contain the constant, which no SDK calls. Shared files are copied too, to the
 * same places relative to it.
 */
export async function withSources(id: SdkId, work: (folder: string) => Promise<void>): Promise<void> {
  const origin = process.env["PUBLIC_ORIGIN"] || ORIGIN;
  await inTemporaryFolder(async (root) => {
    const own = relative(ROOT, sdkFolder(id));
    for (const path of [...sdkFiles(id).map((each) => join(own, each)), ...sharedFiles(id)]) {
      const copy = join(root, path);
      mkdirSync(dirname(copy), { recursive: true });
      writeFileSync(copy, readFileSync(join(ROOT, path), "utf8").replaceAll(ORIGIN, origin));
    }
    await work(join(root, own));
  });
}
