import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runtimeKilled } from "./server.ts";

test("a runtime that something else kills is noticed, and one that its owner ends is not", async () => {
  const folder = mkdtempSync(join(tmpdir(), "checkline-runtime-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const runtime = join(folder, "workerd");
  symlinkSync(process.execPath, runtime);
  const noticed = runtimeKilled().catch((error: Error) => error.message);

  const ended = spawn(runtime, ["--eval", "setInterval(() => {}, 1000)"]);
  ended.kill("SIGKILL");
  await once(ended, "exit");
  expect(await Promise.race([noticed, "nothing"])).toBe("nothing");

  const killed = spawn(runtime, ["--eval", "setInterval(() => {}, 1000)"]);
  process.kill(killed.pid!, "SIGKILL");
  expect(await noticed).toContain("The runtime was ended by SIGKILL");
});
