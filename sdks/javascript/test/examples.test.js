import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const skip =
  process.env.CHECKLINE_BASE_URL && process.env.CHECKLINE_API_KEY
    ? false
    : "CHECKLINE_BASE_URL and CHECKLINE_API_KEY are not set: see npm run test:sdks";

/** Runs an example against the real service. */
async function run(name, env = {}) {
  const path = fileURLToPath(new URL(`../examples/${name}`, import.meta.url));
  const child = spawn(process.execPath, [path], { env: { ...process.env, ...env } });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => (stdout += chunk));
  child.stderr.on("data", (chunk) => (stderr += chunk));
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  return { code, stdout, stderr };
}

test("verify prints everything known about the number", { skip }, async () => {
  assert.deepEqual(await run("verify.mjs"), { code: 0, stdout: "true Brazil TIM mobile\n", stderr: "" });
});

test("verify prints an error and fails", { skip }, async () => {
  assert.deepEqual(await run("verify.mjs", { CHECKLINE_API_KEY: "ch_test_none" }), {
    code: 1,
    stdout: "",
    stderr: "INVALID_API_KEY: The API key is invalid.\n",
  });
});

test("simple prints validity and carrier", { skip }, async () => {
  assert.deepEqual(await run("simple.mjs"), { code: 0, stdout: "valid, TIM\n", stderr: "" });
});

test("batch prints results and the error of one number", { skip }, async () => {
  const stdout = [
    "+5511987654321 Brazil",
    "+12025550109 REJECTED_SUBSCRIBER_ABSENT",
    "+442079460018 United Kingdom",
    "",
  ].join("\n");
  assert.deepEqual(await run("batch.mjs"), { code: 0, stdout, stderr: "" });
});

test("stream prints a line for each number", { skip }, async () => {
  const stdout = "+5511987654321\n+442079460018\nREJECTED_SUBSCRIBER_ABSENT\n";
  assert.deepEqual(await run("stream.mjs"), { code: 0, stdout, stderr: "" });
});

test("quota prints the plan, what is used, and what is left", { skip }, async () => {
  assert.deepEqual(await run("quota.mjs"), { code: 0, stdout: "trial 0 1000\n", stderr: "" });
});

test("retry prints the country", { skip }, async () => {
  assert.deepEqual(await run("retry.mjs"), { code: 0, stdout: "Brazil\n", stderr: "" });
});
