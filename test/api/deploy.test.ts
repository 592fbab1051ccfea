import { expect, test } from "vitest";
import { smokeTest } from "../../scripts/deploy/smoke-test.ts";
import { startWorker } from "../harness.ts";

// scripts/deploy.test.ts tests a deployment; this tests that its smoke test and the real worker agree.

const worker = startWorker();

async function runTest(id?: string): Promise<readonly string[]> {
  const health = (await (await worker.fetch("/api/v1/health")).json()) as { version_id: string };
  const { origin } = new URL(worker.url);
  const io = { fetch, sleep: async () => {}, print: () => {} };
  return smokeTest({ origin, version: id ?? health.version_id, minutes: 0 }, io);
}

test("the smoke test passes, and returns the problems of health", async () => {
  const { problems } = (await (await worker.fetch("/api/v1/health")).json()) as { problems: string[] };
  expect(await runTest()).toStrictEqual(problems);
});

test("the smoke test fails when another version responds", async () => {
  const id = "00000000-0000-4000-8000-000000000001";
  await expect(runTest(id)).rejects.toThrow(`version ${id} doesn't respond yet`);
});
