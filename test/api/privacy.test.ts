import { beforeAll, describe, expect, test } from "vitest";
import { createKey } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { post } from "../requests.ts";
import { everyKvEntry, everyRow } from "../stored.ts";

const worker = startWorker();
const keys: string[] = [];

/** Digits that appear in nothing but the requests of this file. */
const NUMBERS = ["+5511961239871", "+442083669872", "+12024569873", "2024569874", "+99998712345", "98759876"];

beforeAll(async () => {
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
  // A failure inside is logged in full: it must not take the key with it.
  await worker.env.DB.exec("ALTER TABLE api_keys RENAME TO api_keys_away");
  for (const key of unseen) await worker.fetch("/api/v1/verify", post(key, { number: NUMBERS[0] }));
  keys.push(...unseen);
  await worker.env.DB.exec("ALTER TABLE api_keys_away RENAME TO api_keys");
});

/** The digits of each number without its calling code, and each key: what must be nowhere. */
function traces(text: string): string[] {
  const secrets = [...NUMBERS.map((number) => number.slice(-8)), ...keys];
  // However it was punctuated.
  const bare = text.replace(/[\s().-]/g, "");
  return secrets.filter((secret) => text.includes(secret) || bare.includes(secret));
}

describe("verified numbers and keys", () => {
  test("are in no log line", () => {
    const log = worker.logs().join("\n");
    expect(log.match(/"event":"request"/g)?.length).toBeGreaterThan(50);
    expect(log).toContain("no such table");
    expect(traces(log)).toStrictEqual([]);
  });

  test("are in no database row", async () => {
    await expect.poll(() => everyRow(worker), { timeout: 20_000 }).toContain("evt_");
    const rows = await everyRow(worker);
    expect(traces(rows)).toStrictEqual([]);
  });

  test("are in no key-value entry", async () => {
    await expect.poll(() => everyKvEntry(worker), { timeout: 20_000 }).toContain("key:");
    await expect.poll(() => everyKvEntry(worker), { timeout: 20_000 }).toContain("rl:");
    const entries = await everyKvEntry(worker);
    expect(traces(entries)).toStrictEqual([]);
  });
});
