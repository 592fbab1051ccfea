import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ENDPOINTS } from "../../contract/endpoints/index.ts";
import { apiKeys, users } from "../../schema.ts";
import { issueSession } from "../../worker/accounts/sessions.ts";
import { exportLines } from "../../worker/backup/export.ts";
import type { Database } from "../../worker/db.ts";
import { syncOutbox } from "../../worker/keys/cache/outbox.ts";
import { recordName, tombstoneName } from "../../worker/keys/cache/record.ts";
import { createApiKey } from "../../worker/keys/create-api-key.ts";
import { hashKey } from "../../worker/keys/key-format.ts";
import { runAdmin as run } from "../admin.ts";
import { addUsage, createCustomer, CUSTOMERS, totalOf } from "../customers.ts";
import type { Customer } from "../customers.ts";
import { createAccount, PASSWORD } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { tokenIn, waitForMail } from "../mailbox.ts";
import { answerTo, post, send } from "../requests.ts";
import { TEST_SETTINGS } from "../worker.ts";

type Worker = Pick<ReturnType<typeof startWorker>, "fetch" | "db" | "env">;

const source = startWorker();
const target = startWorker();

let folder = "";
let file = "";
let lines: string[] = [];

const customers: Record<string, Customer> = {};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "checkline-backup-"));
  file = join(folder, "all.jsonl");
  for (const [name, options] of Object.entries(CUSTOMERS)) customers[name] = await createCustomer(source, options);
  await source.db.update(users).set({ suspendedAt: Date.now() }).where(eq(users.id, customers["suspended"]!.id));
  await addUsage(source, customers["on pro"]!.id, 300);
  await addUsage(source, customers["on trial"]!.id, 70);
  await addUsage(source, customers["with an expired trial"]!.id, 5);
  // Counted by the product itself, which also notes when the key was used.
  const { id, keys } = customers["on trial"]!;
  const before = await totalOf(source, id);
  expect(await verify(source, keys.live)).toBe("200");
  await vi.waitUntil(async () => (await totalOf(source, id)) === before + 1, { timeout: 20_000 });
  await run(source, "export", file);
  lines = (await readFile(file, "utf8")).trimEnd().split("\n");
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Every read of the account API, with each way of asking that has an answer of its own. */
const READS = ENDPOINTS.filter(({ method, credential }) => method === "get" && credential === "session").flatMap(
  ({ id, path, query }) => {
    const modes = query === undefined ? [""] : ["", "mode=test", "mode=live"];
    const ways = id === "usageReport" ? modes.flatMap((mode) => [`days=30&${mode}`, `days=366&${mode}`]) : modes;
    const reads = ways.map((way) => ({ path: `${path}?${way}`, headers: {} }));
    return id === "usageReport" ? [...reads, { path: `${path}?days=90`, headers: { Accept: "text/csv" } }] : reads;
  },
);

/** All that an account reads, under a session of its present epoch. */
async function readAll(worker: Worker, { id }: Customer): Promise<unknown[]> {
  const row = await worker.db.select().from(users).where(eq(users.id, id)).get();
  const session = { userId: id, epoch: row!.sessionEpoch };
  const { token } = await issueSession(session, TEST_SETTINGS.SESSION_SECRET, Date.now());
  const answers: unknown[] = [];
  for (const { path, headers } of READS) {
    const response = await worker.fetch(path, send("GET", token, undefined, headers));
    answers.push({ path, status: response.status, body: await response.text() });
  }
  return answers;
}

/** What a verification with a key is answered, once D1 has been quick enough to look the key up. */
async function verify(worker: Worker, key: string): Promise<string> {
  const ask = () => answerTo(worker, "/api/v1/verify", post(key, { number: "+5511987654321" }));
  return vi.waitUntil(
    async () => {
      const answer = await ask();
      return answer.startsWith("503") ? null : answer;
    },
    { timeout: 20_000 },
  );
}

describe("a backup", () => {
  test("is a file that only its owner may read, and never replaces another", async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await expect(run(source, "export", file)).rejects.toThrow("is there already, and an export overwrites nothing");
  });

  test("holds no key and no session, and ends with how many rows it has", async () => {
    const text = lines.join("\n");
    for (const { keys } of Object.values(customers)) {
      for (const key of Object.values(keys)) expect(text).not.toContain(key);
    }
    const counts = { account: 7, subscription: 5, key: 21, link: 0 };
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({ type: "end", rows: counts });
  });

  test("is the same however few rows are read at a time", async () => {
    const read: string[] = [];
    for await (const line of exportLines(source.db, Date.now(), { accounts: 2, rows: 3 })) {
      read.push(JSON.stringify(line));
    }
    expect(read.slice(1).toSorted()).toStrictEqual(lines.slice(1).toSorted());
  });

  test("of a service in use has the account that was read first, when its address was registered again", async () => {
    const id = await createAccount(source.db);
    const account = await source.db.select().from(users).where(eq(users.id, id)).get();
    // Behind every other, so that it is read later.
    const twin = { ...account!, id: "usr_zzzzzzzzzzzzzzzzzzzzz" };
    const read: string[] = [];
    for await (const line of exportLines(source.db, Date.now(), { accounts: 1 })) {
      read.push(`${JSON.stringify(line)}\n`);
      // The last line of the account: it has no keys.
      if (!("plan" in line && "user_id" in line) || line.user_id !== id) continue;
      await source.db.delete(users).where(eq(users.id, id));
      await source.db.insert(users).values(twin);
      await createApiKey({ db: source.db, now: Date.now(), userId: twin.id, mode: "live", name: "Later" });
    }
    await source.db.delete(users).where(eq(users.id, twin.id));
    expect(read.filter((line) => line.includes(account!.email)).length).toBe(1);
    expect(read.join("")).not.toContain(twin.id);
    const path = join(folder, "in-use.jsonl");
    await writeFile(path, read.join(""));
    await target.db.delete(users);
    expect((await run(target, "import", path)).text).toMatch(/^Imported 8 accounts, 6 subscriptions, 21 keys, /);
  });

  test("that fails leaves no file behind", async () => {
    const path = join(folder, "broken.jsonl");
    const db = { $client: { prepare: () => expect.unreachable("as a database that is down") } } as unknown as Database;
    await expect(run({ ...source, db }, "export", path)).rejects.toThrow();
    await expect(stat(path)).rejects.toThrow("ENOENT");
  });
});

describe("a restored database", () => {
  beforeAll(async () => {
    await target.db.delete(users);
    const { text } = await run(target, "import", file);
    expect(text).toMatch(/^Imported 7 accounts, 5 subscriptions, 21 keys, /);
  });

  test("is compared by every read that there is", () => {
    expect(READS.length).toBeGreaterThanOrEqual(13);
  });

  test.each(Object.keys(CUSTOMERS))("answers every read of an account %s as before", async (name) => {
    const before = await readAll(source, customers[name]!);
    expect(await readAll(target, customers[name]!)).toStrictEqual(before);
    const statuses = new Set(before.map((answer) => (answer as { status: number }).status));
    expect([...statuses]).toStrictEqual([name === "suspended" ? 403 : 200]);
  });

  test.each(Object.keys(CUSTOMERS))("lets an account %s sign in as before, with a new session", async (name) => {
    const { id, email } = customers[name]!;
    const login = post(null, { email, password: PASSWORD });
    const expected = name === "suspended" ? "403 ACCOUNT_SUSPENDED" : "200";
    expect(await answerTo(source, "/api/v1/auth/login", login)).toBe(expected);
    expect(await answerTo(target, "/api/v1/auth/login", login)).toBe(expected);
    const { token } = await issueSession({ userId: id, epoch: 0 }, TEST_SETTINGS.SESSION_SECRET, Date.now());
    expect(await answerTo(target, "/api/v1/account/me", send("GET", token))).toBe("401 SESSION_EXPIRED");
  });

  test.each(Object.keys(CUSTOMERS))("answers the keys of an account %s as before", async (name) => {
    const { keys } = customers[name]!;
    for (const key of [keys.live, keys.test, keys.revoked]) {
      expect(await verify(target, key)).toBe(await verify(source, key));
    }
    expect(await verify(target, keys.revoked)).toBe("401 API_KEY_REVOKED");
  });

  test("verifies with a live key, and counts on from where it was", async () => {
    const { id, keys } = customers["on pro"]!;
    const before = await totalOf(target, id);
    expect(await verify(target, keys.live)).toBe("200");
    await expect.poll(() => totalOf(target, id), { timeout: 20_000 }).toBeGreaterThan(before);
  });

  test("tells KV of every key", async () => {
    const io = { kv: target.env.EDGE, db: target.db, now: Date.now() };
    expect(await syncOutbox(io)).toMatchObject({ failed: 0, more: false });
    for (const { keys } of Object.values(customers)) {
      expect(await target.env.EDGE.get(recordName(hashKey(keys.live)))).not.toBeNull();
      expect(await target.env.EDGE.get(tombstoneName(hashKey(keys.revoked)))).not.toBeNull();
    }
    const behind = await target.db.select().from(apiKeys);
    expect(behind.every(({ syncedAt, updatedAt }) => syncedAt === updatedAt)).toBe(true);
  });
});

test("a link that was mailed before works in the restored database", async () => {
  await target.db.delete(users);
  const email = "grace@example.com";
  const registration = { name: "Grace", email, password: PASSWORD };
  expect((await source.fetch("/api/v1/users/register", post(null, registration))).status).toBe(201);
  const token = tokenIn(await waitForMail(source, email, /Verify/));
  const path = join(folder, "with-link.jsonl");
  await run(source, "export", path);
  await run(target, "import", path);
  expect((await target.fetch(`/api/v1/users/verify?token=${token}`)).status).toBe(200);
  expect(await answerTo(target, "/api/v1/auth/login", post(null, { email, password: PASSWORD }))).toBe("200");
  await source.db.delete(users).where(eq(users.email, email));
});
