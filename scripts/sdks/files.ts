import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { ORIGIN } from "../../contract/origin.ts";
import type { SdkId } from "../../contract/sdks.ts";
import { ROOT } from "../local/run.ts";
import { inTemporaryFolder, sdkFolder } from "./toolchain.ts";

/** Files that tools leave behind. */
const LEFTOVERS =
  /^(node_modules|vendor|venv|target|build|dist|__pycache__|composer\.lock|pubspec\.lock|Gemfile\.lock|package-lock\.json|.*\.(egg-info|gem|tgz|whl|jar|zip)|\.(?!gitignore$).*)$/;

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !LEFTOVERS.test(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(path) : [path];
    });
}

/** The source files of an SDK, tests included, as sorted paths within its folder with `/` separators. */
export function sdkFiles(id: SdkId): string[] {
  const folder = sdkFolder(id);
  return filesBelow(folder)
    .map((path) => relative(folder, path).replaceAll("\\", "/"))
    .toSorted();
}

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
