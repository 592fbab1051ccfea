import { createRequire } from "node:module";
import { join } from "node:path";

/** The repository, whose tools and browser these tests use. */
export const repository = process.env.CHECKLINE_REPOSITORY;

/** Why a test that needs the repository is skipped, or false. */
export const skip = repository ? false : "CHECKLINE_REPOSITORY is not set: see npm run test:sdks";

/** A module that the repository has installed. */
export function tool(name) {
  return createRequire(join(repository, "package.json"))(name);
}

/** A module of the repository's own. */
export function helper(path) {
  return import(join(repository, path));
}
