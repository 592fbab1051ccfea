import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { unstable_startWorker as startLocally } from "wrangler";
import { beforeAll, describe, expect, test } from "vitest";
import { signInAttempts, users } from "../../schema.ts";
import { stayLocal } from "../../scripts/local/run.ts";
import { syncOutbox } from "../../worker/key-cache/outbox.ts";
import { createKey } from "../factories.ts";
import { startOwnWorker } from "../harness.ts";
import { post } from "../requests.ts";
import { everyKvEntry, everyRow } from "../stored.ts";
import { TEST_SETTINGS } from "../worker.ts";
import { writeProjectConfig } from "../wrangler-config.ts";

// A separate worker: an isolate logs a failure of its key cache once per minute, and another file may have caused one.
const worker = startOwnWorker();
const keys: string[] = [];

/** Digits that occur only in this file's requests. */
const NUMBERS = ["+5511961239871", "+442083669872", "+12024569873", "2024569874", "+99998712345", "98759876"];

/** The demo's client addresses, one per number: only their keyed hashes are stored. */
const ADDRESSES = NUMBERS.map((_, index) => `203.0.113.${101 + index}`);

/** Sends each number to the demo, well-formed and malformed, and from elsewhere. */
async function useDemo(): Promise<void> {
  for (const [index, number] of NUMBERS.entries()) {
    const page = { "Sec-Fetch-Site": "same-origin", "CF-Connecting-IP": ADDRESSES[index]! };
    const path = `/api/v1/demo/lookup?number=${encodeURIComponent(number)}`;
    for (let made = 0; made < 6; made++) await worker.fetch(path, post(null, { number }, page));
    await worker.fetch(path, post(null, { number, [number]: number }, page));
    await worker.fetch(path, post(null, `{"number": "${number}"`, page));
    await worker.fetch(path, post(null, { number }, { ...page, Origin: `https://${number.slice(-8)}.example` }));
  }
}

/** Sends a number to the demo while it can't be counted. */
async function failDemo(): Promise<void> {
  await worker.env.DB.exec("ALTER TABLE sign_in_attempts RENAME TO sign_in_attempts_away");
  const page = { "Sec-Fetch-Site": "same-origin", "CF-Connecting-IP": ADDRESSES[0]! };
  await worker.fetch("/api/v1/demo/lookup", post(null, { number: NUMBERS[0] }, page));
  await worker.env.DB.exec("ALTER TABLE sign_in_attempts_away RENAME TO sign_in_attempts");
}

beforeAll(async () => {
  await useDemo();
  await failDemo();
  keys.push(await createKey(worker.db, "live"), await createKey(worker.db, "test"));
  const unseen = [await createKey(worker.db, "live"), await createKey(worker.db, "test")];
  for (const key of keys) {
    for (const number of NUMBERS) {
      await worker.fetch("/api/v1/verify", post(key, { number }));
      await worker.fetch("/api/v1/verify", post(key, { number: `x`, [number]: number }));
      await worker.fetch("/api/v1/verify", post(key, `{"number": "${number}"`));
      await worker.fetch(`/api/v1/verify/${encodeURIComponent(number)}?number=${encodeURIComponent(number)}`);
      await worker.fetch("/api/v1/verify", { headers: { Authorization: `Bearer ${key}` }, method: "PUT" });
    }
    await worker.fetch("/api/v1/verify/batch", post(key, { numbers: NUMBERS }));
  }
  // An internal failure is logged in full, but must not include the key.
  await worker.env.DB.exec("ALTER TABLE api_keys RENAME TO api_keys_away");
  for (const key of unseen) await worker.fetch("/api/v1/verify", post(key, { number: NUMBERS[0] }));
  keys.push(...unseen);
  await worker.env.DB.exec("ALTER TABLE api_keys_away RENAME TO api_keys");
});

/** Each number's digits without its calling code, each key, and each address: none may appear. */
function traces(text: string): string[] {
  const secrets = [...NUMBERS.map((number) => number.slice(-8)), ...keys, ...ADDRESSES];
  // Ignoring punctuation.
  const bare = text.replace(/[\s().-]/g, "");
  return secrets.filter((secret) => text.includes(secret) || bare.includes(secret));
}

describe("verified numbers, keys, and addresses", () => {
  test("are in no log line", () => {
    const log = worker.logs().join("\n");
    expect(log.match(/"event":"request"/g)?.length).toBeGreaterThan(50);
    for (const table of ["api_keys", "sign_in_attempts"]) expect(log).toContain(`no such table: ${table}`);
    expect(log).toContain("demo_count_failed");
    expect(traces(log)).toStrictEqual([]);
  });

  test("are in no database row", async () => {
    const everyLedger = async () => {
      const all = await worker.db.select({ id: users.id }).from(users);
      const stored = all.flatMap(({ id }) => {
        const ledger = worker.env.LEDGER.getByName(id);
        return [ledger.rowsAfter(null), ledger.activity({ limit: Infinity }), ledger.keys("2026-01", [])];
      });
      return JSON.stringify(await Promise.all(stored));
    };
    await expect.poll(everyLedger, { timeout: 20_000 }).toContain('"country_code":"BR"');
    // Successful and failed calls: the activity contains both.
    for (const part of ['"status":200,"code":null', '"status":400,"code":"'])
      await expect.poll(everyLedger, { timeout: 20_000 }).toContain(part);
    const rows = (await everyRow(worker)) + (await everyLedger());
    expect(await worker.db.$count(signInAttempts)).toBe(ADDRESSES.length);
    expect(traces(rows)).toStrictEqual([]);
  });

  test("are in no key-value entry", async () => {
    await syncOutbox({ edge: worker.env.EDGE, db: worker.db, now: () => Date.now() });
    await expect.poll(() => everyKvEntry(worker), { timeout: 20_000 }).toContain("key:");
    const entries = await everyKvEntry(worker);
    expect(traces(entries)).toStrictEqual([]);
  });
});

// As `npm start` runs it: wrangler's own traces would contain whole URLs.
const config = writeProjectConfig((project) => {
  delete project.assets;
});
const folder = dirname(config);

test("what a caller puts into a URL is nowhere in the files of a local run", async () => {
  stayLocal();
  const local = await startLocally({
    config,
    bindings: Object.fromEntries(
      Object.entries(TEST_SETTINGS).map(([name, value]) => [name, { type: "plain_text", value } as const]),
    ),
    dev: {
      watch: false,
      inspector: false,
      logLevel: "error",
      persist: join(folder, "state"),
      server: { hostname: "127.0.0.1", port: 0 },
      structuredLogsHandler() {},
    },
  });
  const [number, key, token] = [NUMBERS[0]!.slice(1), keys[0]!, "a-token-of-43-characters-in-an-email-link-0"];
  for (const path of [
    `/api/v1/verify/${number}?number=${number}&key=${key}`,
    `/api/v1/users/verify?token=${token}`,
    `/api/v1/users/verify/${token}/${key}`,
    `/api/v1/status?number=${number}`,
  ]) {
    await (await local.fetch(`http://localhost${path}`)).text();
  }
  await local.dispose();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.length).toBeGreaterThan(1);
  for (const { parentPath, name } of files) {
    const content = readFileSync(join(parentPath, name), "latin1");
    for (const secret of [number, key, token]) expect(content.includes(secret), name).toBe(false);
  }
});
