import { readFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { users } from "../../schema.ts";
import { ENVIRONMENTS } from "../../scripts/deploy/arguments.ts";
import { ERASE, temporaryAccount } from "../../scripts/deploy/smoke-account.ts";
import { smokeTest } from "../../scripts/deploy/smoke-test.ts";
import { runWrangler } from "../../scripts/deploy/wrangler.ts";
import { startWorker } from "../harness.ts";
import { post } from "../requests.ts";

const worker = startWorker();

async function execute(statements: readonly string[]): Promise<void> {
  for (const statement of statements) await worker.env.DB.prepare(statement).run();
}

describe("the smoke test", () => {
  const io = {
    fetch: (url: string, init: RequestInit) => worker.fetch(url.replace("https://checkline.test", ""), init),
    sleep: async () => {},
  };
  async function runTest(key: string, id?: string): Promise<void> {
    const health = (await (await worker.fetch("/api/v1/health")).json()) as { version_id: string };
    const version = { worker: "checkline", id: id ?? health.version_id };
    return smokeTest({ origin: "https://checkline.test", key, version }, io, 2);
  }

  test("passes on the real worker with the key of its temporary account, of which nothing stays", async () => {
    const { key, statements } = temporaryAccount(Date.now());
    await execute(statements);
    await runTest(key);
    await execute([ERASE]);
    expect(await worker.db.select().from(users)).toStrictEqual([]);
  });

  test("takes the place of an account that an interrupted run has left", async () => {
    await execute(temporaryAccount(Date.now()).statements);
    const { key, statements } = temporaryAccount(Date.now());
    await execute(statements);
    await runTest(key);
    expect(await worker.db.select().from(users)).toHaveLength(1);
    await execute([ERASE]);
  });

  test("nobody can sign in to the account", async () => {
    await execute(temporaryAccount(Date.now()).statements);
    const credentials = { email: "smoke-test@checkline.invalid", password: "a long password" };
    const response = await worker.fetch("/api/v1/auth/login", post(null, credentials));
    expect(response.status).toBe(401);
    await execute([ERASE]);
  });

  test("fails when another version answers", async () => {
    const id = "00000000-0000-4000-8000-000000000001";
    await expect(runTest("ch_test_any", id)).rejects.toThrow(`to health: it is not version ${id} that answers`);
  });

  test("fails with a key that the service does not know", async () => {
    const { key } = temporaryAccount(Date.now());
    await expect(runTest(key)).rejects.toThrow("answers 401 instead of 200 to a verification in the sandbox");
  });
});

async function tablesIn(folder: string): Promise<number> {
  return (await readdir(folder)).filter((name) => name.endsWith(".bin")).length;
}

test.each(ENVIRONMENTS)("wrangler's own dry run of %s passes and bundles the data tables", async (environment) => {
  const folder = await mkdtemp(join(tmpdir(), "deploy-"));
  try {
    const result = await runWrangler(["deploy", "--dry-run", "--outdir", folder, `--env=${environment}`]);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(result.stdout).toContain("--dry-run: exiting now.");
    expect(await tablesIn(folder)).toBe(await tablesIn(join(import.meta.dirname, "../../worker/phone/data")));
    const code = readFileSync(join(folder, "index.js"), "utf8");
    expect(code).toContain("ACCOUNT_SUSPENDED");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
