// Brings the data up to Google's newest release. `usage` says how; .github/workflows/data.yml does it every week.
import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArguments, runMain } from "./arguments.ts";
import { newestPackageOf, PACKAGES } from "./data/packages.ts";
import { readResources } from "./data/resources.ts";
import { ROOT } from "./local/run.ts";

const USAGE = `npm run data:refresh [-- --from FOLDER]

Installs the newest libphonenumber-js for the numbering plans, and compiles carriers, areas, zones and short numbers from Google's
newest release, or from FOLDER, the resources folder of a libphonenumber checkout. Then runs the tests of the engine and its data.
build/data-changes.md says what changed, by country.
`;

const REPOSITORY = "https://github.com/google/libphonenumber";
/** Also what the workflow compares the tables with. */
const CHECKOUT = join(ROOT, "build/libphonenumber");

/** Runs a program to its end and returns what it printed. @throws Error when it fails */
export type Execute = (command: string, args: readonly string[], env?: Readonly<Record<string, string>>) => string;

/** Does as the command line says. @throws UsageError, and Error when a step fails: nothing is undone then */
export function refresh(args: readonly string[], execute: Execute): void {
  const { values } = parseArguments({ args: [...args], options: { from: { type: "string" } } });
  execute("npm", ["install", "--save-exact", `${PACKAGES[0]}@latest`]);
  const folder = values.from === undefined ? checkOutNewest(execute) : resolve(values.from);
  const { release } = readResources(folder);
  const version = newestPackageOf(release);
  // What the plans of Google's XML are compared with. libphonenumber-js may not have come so far yet.
  if (version === null) console.log(`No libphonenumber-js carries ${release} yet.`);
  else execute("npm", ["install", "--save-dev", "--save-exact", `${PACKAGES[2]}@npm:${PACKAGES[0]}@${version}`]);
  execute(process.execPath, ["scripts/data.ts", "--from", folder]);
  execute("npx", ["vitest", "run", "--project", "unit", "--project", "oracle", "scripts/data", "worker/phone"], {
    LIBPHONENUMBER_RESOURCES: folder,
  });
}

function checkOutNewest(execute: Execute): string {
  const tags = execute("git", ["ls-remote", "--tags", "--refs", "--sort=-v:refname", REPOSITORY, "v*"]);
  const tag = /refs\/tags\/(v\d+\.\d+\.\d+)$/m.exec(tags)?.[1];
  if (tag === undefined) throw new Error(`${REPOSITORY} names no release`);
  if (existsSync(CHECKOUT)) rmSync(CHECKOUT, { recursive: true });
  const sparse = ["--depth", "1", "--filter=blob:none", "--sparse"];
  execute("git", ["-c", "advice.detachedHead=false", "clone", ...sparse, "--branch", tag, REPOSITORY, CHECKOUT]);
  execute("git", ["-C", CHECKOUT, "sparse-checkout", "set", "resources"]);
  return join(CHECKOUT, "resources");
}

if (import.meta.main) {
  await runMain(
    async () =>
      refresh(process.argv.slice(2), (command, args, env) => {
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
      }),
    { usage: USAGE },
  );
}
