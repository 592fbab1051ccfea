import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArguments } from "../arguments.ts";
import { ROOT } from "../local/run.ts";
import { newestPackageOf, PACKAGES } from "./packages.ts";
import { readResources } from "./resources.ts";

const REPOSITORY = "https://github.com/google/libphonenumber";
/** The workflow also compares the tables with this. */
const CHECKOUT = join(ROOT, "build/libphonenumber");

/** Runs a program and returns its output. @throws Error when it fails */
export type Execute = (command: string, args: readonly string[], env?: Readonly<Record<string, string>>) => string;

/**
 * Updates the data to Google's newest release, or to the folder after `--from`, and to the newest registers.
 * @throws UsageError, and Error when a step fails, without undoing earlier steps
 */
export function refresh(args: readonly string[], execute: Execute): void {
  const { values } = parseArguments({ args: [...args], options: { from: { type: "string" } } });
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  const installed = dependencies[PACKAGES[0]]!;
  const answer = execute("npm", ["view", PACKAGES[0], "versions", "time", "--json"]);
  const newest = newestSettled(answer, installed, Date.now());
  execute("npm", ["install", "--save-exact", `${PACKAGES[0]}@${newest}`]);
  const folder = values.from === undefined ? checkOutNewest(execute) : resolve(values.from);
  const { release } = readResources(folder);
  const version = newestPackageOf(release);
  // The plans to compare Google's XML with. libphonenumber-js may lag behind.
  if (version === null) console.log(`No libphonenumber-js has ${release} yet.`);
  else execute("npm", ["install", "--save-dev", "--save-exact", `${PACKAGES[2]}@npm:${PACKAGES[0]}@${version}`]);
  execute(process.execPath, ["scripts/data.ts", "--from", folder, "--download"]);
  // The results in the docs have carriers, and the dates of registers.
  execute("npx", ["vitest", "run", "--project", "unit", "web/content", "scripts/data/coverage", "-u"]);
  execute("npx", ["vitest", "run", "--project", "unit", "--project", "oracle", "scripts/data", "worker/phone"], {
    LIBPHONENUMBER_RESOURCES: folder,
  });
}

/** Malicious releases are usually found within days. */
const SETTLING_MS = 7 * 86_400_000;

/**
 * The newest release, by version, that is at least seven days old, or the installed one if that is newer. No
 * prereleases.
 * @param answer of `npm view libphonenumber-js versions time --json`: times of withdrawn versions stay
 * @param now in milliseconds
 */
export function newestSettled(answer: string, installed: string, now: number): string {
  const { versions, time } = JSON.parse(answer) as { versions: string[]; time: Readonly<Record<string, string>> };
  const settled = versions.filter(
    (version) => /^\d+\.\d+\.\d+$/.test(version) && Date.parse(time[version]!) <= now - SETTLING_MS,
  );
  return [installed, ...settled].toSorted((a, b) => b.localeCompare(a, "en", { numeric: true }))[0]!;
}

function checkOutNewest(execute: Execute): string {
  const tags = execute("git", ["ls-remote", "--tags", "--refs", "--sort=-v:refname", REPOSITORY, "v*"]);
  const tag = /refs\/tags\/(v\d+\.\d+\.\d+)$/m.exec(tags)?.[1];
  if (tag === undefined) throw new Error(`${REPOSITORY} has no release`);
  if (existsSync(CHECKOUT)) rmSync(CHECKOUT, { recursive: true });
  const sparse = ["--depth", "1", "--filter=blob:none", "--sparse"];
  execute("git", ["-c", "advice.detachedHead=false", "clone", ...sparse, "--branch", tag, REPOSITORY, CHECKOUT]);
  execute("git", ["-C", CHECKOUT, "sparse-checkout", "set", "resources"]);
  return join(CHECKOUT, "resources");
}

/** Runs a program in the project's root, showing its output. */
export function executeHere(command: string, args: readonly string[], env?: Readonly<Record<string, string>>): string {
  console.log(`> ${command} ${args.join(" ")}`);
  const { status, stdout, error } = spawnSync(command, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (error !== undefined) throw error;
  process.stdout.write(stdout);
  if (status !== 0) throw new Error(`${command} ${args[0]} failed.`);
  return stdout;
}
