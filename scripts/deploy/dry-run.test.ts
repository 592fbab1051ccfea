import { expect, test } from "vitest";
import { writeProjectConfig } from "../../test/wrangler-config.ts";
import { dryRun } from "./dry-run.ts";
import { readTarget } from "./target.ts";

const TARGET = readTarget("production", {}, writeProjectConfig());

/** A dry run whose command of wrangler ends so, after something has happened. Returns what it printed, also before it failed. */
async function run(code: number, stopped: AbortSignal, meanwhile = () => {}): Promise<string> {
  const printed: string[] = [];
  await dryRun(TARGET, {
    async run() {
      meanwhile();
      return { code, stdout: "--dry-run: exiting now.", stderr: code === 0 ? "" : "[ERROR] No such entry point" };
    },
    build: async () => {},
    fetch: () => Promise.reject(new Error("A dry run calls nobody.")),
    sleep: async () => {},
    stopped,
    variables: {},
    print: (text) => void printed.push(text),
  }).catch((error: Error) => printed.push(error.message));
  return printed.join("");
}

test("a dry run passes or fails as wrangler's does", async () => {
  const { signal } = new AbortController();
  expect(await run(0, signal)).toContain("The dry run passes.");
  const failed = await run(1, signal);
  expect(failed).toContain("Wrangler's dry run fails:\nNo such entry point");
  expect(failed).not.toContain("passes");
});

test("a dry run that is stopped while wrangler runs does not say that it passes", async () => {
  const controller = new AbortController();
  const said = await run(0, controller.signal, () => controller.abort(new Error("Stopped by SIGINT.")));
  expect(said).toMatch(/Stopped by SIGINT\.$/);
  expect(said).not.toContain("passes");
});
