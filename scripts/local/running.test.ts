import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { explain } from "./faults.ts";
import { runningPort } from "./running.ts";

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "checkline-running-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "new/running.json");
}

/** The arguments of a Node process that claims the folder and stays. */
function claiming(port: number, file: string): string[] {
  const module = JSON.stringify(join(import.meta.dirname, "running.ts"));
  const claimed = `import(${module}).then((running) => running.claimFolder(${port}, ${JSON.stringify(file)}))`;
  return ["--eval", `${claimed}.then(() => setInterval(() => {}, 1000)).then(() => console.log("claimed"))`];
}

async function claim(port: number, file: string) {
  const child = spawn(process.execPath, claiming(port, file), { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child;
}

test("one process has a folder until it ends, even if it's killed", async () => {
  const file = newFile();
  expect(runningPort(undefined, file)).toBe(8787);
  const first = await claim(8851, file);
  expect(runningPort("", file)).toBe(8851);
  expect(runningPort("9000", file)).toBe(9000);
  const second = spawnSync(process.execPath, claiming(8852, file), { encoding: "utf8" });
  expect(second.status).toBe(1);
  expect(second.stderr).toContain(`npm start already runs in this folder, on port 8851`);
  first.kill("SIGKILL");
  await once(first, "exit");
  expect(runningPort(undefined, file)).toBe(8787);
  await claim(8853, file);
  expect(runningPort(undefined, file)).toBe(8853);
});

test.each([
  ["ENOSPC: no space left on device, write", "The disk is full."],
  ["D1_ERROR: file is not a database: SQLITE_NOTADB", "To start over with an empty one, delete"],
  ["EEXIST: file already exists, mkdir '/checkline/.wrangler'", "must be a folder"],
  ["Port 8787 is in use.", "Port 8787 is in use."],
])("of a fault, %s, it says what to do", (message, advice) => {
  expect(explain(new Error(message))).toContain(advice);
});
