import { createHash } from "node:crypto";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { ROOT, runTool } from "./run.ts";

/** The site's folder. */
export const SITE = join(ROOT, "web");

/** The build's inputs: the site, what it imports from elsewhere, and the locked versions of its dependencies. */
const INPUTS = ["web", "contract", "sdks", "package-lock.json"];
const NOT_READ = new Set(["build", "node_modules", ".react-router"]);
const RECORD = join(SITE, "build/inputs");

async function filesIn(path: string): Promise<string[]> {
  if ((await stat(path)).isFile()) return [path];
  const names = (await readdir(path)).filter((name) => !NOT_READ.has(name)).toSorted();
  return (await Promise.all(names.map((name) => filesIn(join(path, name))))).flat();
}

/**
 * The address in files that contain full ones, such as llms.txt: the default port's, since another port would otherwise
 * build the site again. Pages use the origin they are served from.
 */
const ORIGIN = "http://localhost:8787";

/**
 * A digest of the sources, and of the build's timestamp: another program may have built since, with other settings.
 * @returns SHA-256 in hexadecimal, or null without a build
 */
async function digest(): Promise<string | null> {
  const built = await stat(join(SITE, "build/client/index.html")).catch(() => null);
  if (built === null) return null;
  const hash = createHash("sha256").update(JSON.stringify([built.mtimeMs, process.env["OPERATOR"]]));
  for (const path of (await Promise.all(INPUTS.map((name) => filesIn(join(ROOT, name))))).flat()) {
    hash.update(`\0${relative(ROOT, path)}\0`).update(await readFile(path));
  }
  return hash.digest("hex");
}

/** Whether the last build came from `buildSite`, with the current sources. */
export async function siteIsBuilt(): Promise<boolean> {
  const now = await digest();
  return now !== null && now === (await readFile(RECORD, "utf8").catch(() => null));
}

/** Builds the site, and records the digest of its sources. */
export async function buildSite(): Promise<void> {
  await runTool("react-router", ["build"], { cwd: SITE, env: { PUBLIC_ORIGIN: ORIGIN } });
  await writeFile(RECORD, (await digest()) ?? "");
}
