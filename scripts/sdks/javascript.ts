import { chmod, copyFile, cp, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { sdkFolder } from "../../sdks/files.ts";
import { sdkWithId } from "../../sdks/packages.ts";
import { ROOT, run } from "../local/run.ts";
import { withSources } from "./files.ts";
import { inTemporaryFolder, versionOf } from "./toolchain.ts";
import type { SdkToolchain } from "./toolchain.ts";

const ID = "javascript";
const OLDEST_NODE = 20;
const { file: FILE } = sdkWithId(ID);

/** npm's commands run with this Node and find the project's TypeScript. */
const TOOLS = { PATH: [join(ROOT, "node_modules/.bin"), process.env["PATH"]].join(delimiter) };

/** Checks of the packed package: its exports, and that each way to import it finds the types. */
const PACKAGE_CHECKS = ["publint@0.3.25 --strict", "@arethetypeswrong/cli@0.18.5 --no-emoji"];

/** Programs in test/types by platform, with types available next to the package's, as arguments of tsc. */
const PROGRAMS = [
  "consumer.ts consumer.cts --module NodeNext --types node --lib ES2022",
  "consumer.ts --module ESNext --moduleResolution Bundler --lib ES2022,DOM",
  "consumer.ts --module ESNext --moduleResolution Bundler --types @cloudflare/workers-types --lib ES2022",
];

interface Node {
  readonly command: string;
  readonly version: string;
}

/** The project's Node, plus the system's if it is a different supported version. */
async function nodes(): Promise<Node[]> {
  const own = { command: process.execPath, version: process.version };
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((path) => !path.includes("node_modules"));
  for (const command of folders.map((folder) => join(folder, "node"))) {
    const version = await versionOf(command, "--version");
    const major = Number(version?.match(/^v(\d+)\./)?.[1]);
    if (version !== null && version !== own.version && major >= OLDEST_NODE) return [own, { command, version }];
  }
  return [own];
}

/** npm packs files with their modes, which come from the checkout. */
async function setModes(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  await Promise.all(files.map(({ parentPath, name }) => chmod(join(parentPath, name), 0o644)));
}

/** Builds in a copy, so that the same sources produce the same package whatever else is in the folder. */
async function build(out: string): Promise<void> {
  await withSources(ID, async (folder) => {
    // For the bundler, and the packages that the command contains.
    await symlink(join(ROOT, "node_modules"), join(folder, "../../node_modules"));
    await run("npm", ["run", "build"], { cwd: folder, env: TOOLS });
    await setModes(folder);
    await run("npm", ["pack", "--ignore-scripts"], { cwd: folder, env: TOOLS });
    await mkdir(out, { recursive: true });
    await copyFile(join(folder, FILE), join(out, FILE));
  });
}

/** Installs the package like a user would, into a program made of its tests and examples. */
async function install(folder: string, built: string): Promise<void> {
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await run("npm", ["install", "--offline", join(built, FILE)], { cwd: folder, env: TOOLS });
  for (const part of ["test", "examples"]) {
    await cp(join(sdkFolder(ID), part), join(folder, part), { recursive: true });
  }
}

async function checkPackage(folder: string, built: string): Promise<void> {
  for (const check of PACKAGE_CHECKS) {
    await run("npx", ["--yes", ...check.split(" "), join(built, FILE)], { cwd: folder, env: TOOLS });
  }
  const typeRoots = ["node_modules/@types", "node_modules"].map((path) => join(ROOT, path)).join(",");
  const options = ["--noEmit", "--ignoreConfig", "--strict", "--target", "ES2022", "--typeRoots", typeRoots];
  for (const program of PROGRAMS) {
    await run("tsc", [...program.split(" "), ...options], { cwd: join(folder, "test/types"), env: TOOLS });
  }
}

/** The test files of a folder. */
async function testsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names.filter((name) => name.endsWith(".test.js")).map((name) => join(folder, name));
}

async function test(built: string, env: Readonly<Record<string, string>>): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    await install(folder, built);
    await checkPackage(folder, built);
    const tests = await testsIn(join(folder, "test"));
    const runtimes = await testsIn(join(folder, "test/runtimes"));
    for (const [index, { command, version }] of (await nodes()).entries()) {
      const own = index === 0;
      // The project's Node also drives workerd and the browser, using the project's tools.
      const files = own ? [...tests, ...runtimes] : tests;
      const name = own ? ID : `${ID}-node${Number.parseInt(version.slice(1), 10)}`;
      const settings = { ...env, CHECKLINE_RUN: name, ...(own && { CHECKLINE_REPOSITORY: ROOT }) };
      await run(command, ["--expose-gc", "--test", "--test-reporter=spec", ...files], { cwd: folder, env: settings });
    }
  });
}

/** Node, npm, and TypeScript, which the project has anyway. */
export const javascript: SdkToolchain = {
  id: ID,
  // An older Node on the path and a browser are added if available.
  runs: [ID, `${ID}-workers`],
  debianPackages: [],
  async version() {
    const versions = (await nodes()).map(({ version }) => version);
    return `Node.js ${versions.join(" and ")}`;
  },
  build,
  test,
};
