import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { ORIGIN } from "../../contract/origin.ts";
import type { SdkId } from "../../contract/sdks.ts";
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

/**
 * Runs `work` on a copy of an SDK's sources that uses the service at `PUBLIC_ORIGIN`, if set: packages contain the
 * address that serves them. Otherwise they contain the constant, which no SDK calls.
 */
export async function withSources(id: SdkId, work: (folder: string) => Promise<void>): Promise<void> {
  const origin = process.env["PUBLIC_ORIGIN"] || ORIGIN;
  await inTemporaryFolder(async (folder) => {
    for (const path of sdkFiles(id)) {
      const copy = join(folder, path);
      mkdirSync(dirname(copy), { recursive: true });
      writeFileSync(copy, readFileSync(join(sdkFolder(id), path), "utf8").replaceAll(ORIGIN, origin));
    }
    await work(folder);
  });
}
