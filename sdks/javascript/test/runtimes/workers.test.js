import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { testCases } from "../cases.js";
import { helper, repository, skip, tool } from "./repository.js";

const RUN = "javascript-workers";
const NAME = "checkline-sdk";
/** From a time when a worker had none of Node's APIs by default. */
const DATE = "2024-09-01";
let miniflare;

/** The worker in one module. Wrangler finds the package's modules through its exports. */
async function bundle(folder) {
  const { runTool, stayLocal } = await helper("scripts/local/run.ts");
  stayLocal();
  const options = ["--dry-run", "--outdir", folder, "--name", NAME, "--compatibility-date", DATE];
  await runTool("wrangler", ["deploy", "worker.js", ...options], { cwd: import.meta.dirname });
  return readFile(join(folder, "worker.js"), "utf8");
}

before(async () => {
  if (!repository) return;
  const folder = join(import.meta.dirname, "bundle");
  const modules = { "worker.js": { type: "esm", contents: await bundle(folder) } };
  const manifest = { mainModule: "worker.js", modulesRoot: folder, modules };
  const { Miniflare } = tool("miniflare");
  miniflare = new Miniflare({ workers: [{ config: { name: NAME, compatibilityDate: DATE, manifest } }] });
  await miniflare.ready;
});
after(() => miniflare?.dispose());

async function perform(each) {
  const response = await miniflare.dispatchFetch("http://worker/", { method: "POST", body: JSON.stringify(each) });
  return response.json();
}

if (skip) {
  test("in a worker", { skip });
} else {
  // First, because it waits: the hooks above end when all tests known by then have ended.
  await testCases(RUN, perform);
  test("in a worker without an environment the key must be passed", async () => {
    const text = await (await miniflare.dispatchFetch("http://worker/")).text();
    assert.match(text, /^undefined TypeError: No API key/);
  });
}
