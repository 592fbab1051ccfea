import { expect, test } from "vitest";
import { users } from "../../schema.ts";
import { ERASE, smokeTest, temporaryAccount } from "../../scripts/deploy/smoke-test.ts";
import { startWorker } from "../harness.ts";
import { post } from "../requests.ts";

// scripts/deploy.test.ts tests a deployment; this tests that its smoke test and the real worker agree.

const worker = startWorker();

async function execute(sql: string): Promise<void> {
  for (const statement of sql.split("; ")) await worker.env.DB.prepare(statement).run();
}

async function runTest(key: string, id?: string): Promise<void> {
  const health = (await (await worker.fetch("/api/v1/health")).json()) as { version_id: string };
  const { origin } = new URL(worker.url);
  return smokeTest({ origin, version: id ?? health.version_id, key, tries: 2, pauseMs: 1 });
}

test("the smoke test passes with the key of its temporary account, which leaves no trace", async () => {
  const { key, sql } = temporaryAccount();
  await execute(sql);
  await runTest(key);
  await execute(ERASE);
  expect(await worker.db.select().from(users)).toStrictEqual([]);
});

test("the temporary account replaces one that an interrupted run left behind", async () => {
  await execute(temporaryAccount().sql);
  const { key, sql } = temporaryAccount();
  await execute(sql);
  await runTest(key);
  expect(await worker.db.select().from(users)).toHaveLength(1);
  await execute(ERASE);
});

test("no one can log in to the temporary account", async () => {
  await execute(temporaryAccount().sql);
  const credentials = { email: "smoke-test@checkline.invalid", password: "a long password" };
  const response = await worker.fetch("/api/v1/auth/login", post(null, credentials));
  expect(response.status).toBe(401);
  await execute(ERASE);
});

test("the smoke test fails when another version responds", async () => {
  const id = "00000000-0000-4000-8000-000000000001";
  await expect(runTest("ch_test_any", id)).rejects.toThrow(`version ${id} does not respond yet`);
});

test("the smoke test fails with an unknown key", async () => {
  await expect(runTest(temporaryAccount().key)).rejects.toThrow("/api/v1/verify returns 401");
});
