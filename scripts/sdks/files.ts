import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import type { SdkId } from "../../contract/sdks.ts";
import { sdkFolder } from "./toolchain.ts";

/** What tools leave behind. */
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

/** The files of an SDK's sources, tests included, as paths within its folder with `/` between their parts, sorted. */
export function sdkFiles(id: SdkId): string[] {
  const folder = sdkFolder(id);
  return filesBelow(folder)
    .map((path) => relative(folder, path).replaceAll("\\", "/"))
    .toSorted();
}
