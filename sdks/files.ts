import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import type { SdkId } from "./packages.ts";

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

/** The folder of an SDK. */
export function sdkFolder(id: SdkId): string {
  return join(import.meta.dirname, id);
}

/** The source files of an SDK, tests included, as sorted paths within its folder with `/` separators. */
export function sdkFiles(id: SdkId): string[] {
  const folder = sdkFolder(id);
  return filesBelow(folder)
    .map((path) => relative(folder, path).replaceAll("\\", "/"))
    .toSorted();
}
