import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { configuredPort } from "./port.ts";
import { ROOT } from "./run.ts";

/** Which `npm start` runs in this folder. */
const FILE = join(ROOT, ".wrangler/running.json");

interface Running {
  readonly pid: number;
  readonly port: number;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The running `npm start`, or null if there is none. */
function findRunning(file: string): Running | null {
  try {
    const found = JSON.parse(readFileSync(file, "utf8")) as Running;
    return isAlive(found.pid) ? found : null;
  } catch {
    return null;
  }
}

/** This folder's runtimes that no Node process owns. Systems without `ps` find none. */
function orphans(): number[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" });
  const rows = Array.from((stdout ?? "").matchAll(/^ *(\d+) +(\d+) (.*)$/gm), ([, pid, parent, command]) => ({
    pid: Number(pid),
    parent: Number(parent),
    command: command!,
  }));
  const owners = new Set(rows.filter(({ command }) => command.includes("node ")).map(({ pid }) => pid));
  const runtime = join(ROOT, "node_modules/@cloudflare/workerd-");
  return rows.filter(({ command, parent }) => command.startsWith(runtime) && !owners.has(parent)).map(({ pid }) => pid);
}

/**
 * Makes this the only `npm start` of the folder, until the process exits: two would use the same database and site. Ends
 * the runtimes that a killed one left behind, which still hold its port and database.
 * @throws Error if another one runs
 */
export function claimFolder(port: number, file = FILE): void {
  mkdirSync(dirname(file), { recursive: true });
  if (findRunning(file) === null) {
    rmSync(file, { force: true });
    for (const pid of orphans()) process.kill(pid, "SIGKILL");
  }
  try {
    writeFileSync(file, JSON.stringify({ pid: process.pid, port } satisfies Running), { flag: "wx" });
  } catch (error) {
    const other = findRunning(file);
    if (other === null) throw error;
    throw new Error(
      `npm start already runs in this folder, on port ${other.port}. Stop it first. If process ${other.pid} is another program, delete ${file}`,
      { cause: error },
    );
  }
  process.once("exit", () => rmSync(file, { force: true }));
}

/** The port in the variable `PORT`, else that of the running server, else 8787. */
export function runningPort(value: string | undefined, file = FILE): number {
  return configuredPort(value || findRunning(file)?.port.toString());
}
