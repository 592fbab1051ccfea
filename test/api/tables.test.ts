import { beforeAll, expect, test } from "vitest";
import { insertApiKey } from "../../worker/keys/api-keys.ts";
import { prefixesOf } from "../../scripts/data/encode.ts";
import { prefixTable, verify } from "../engine.ts";
import { createAccount } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { post } from "../requests.ts";

const worker = startWorker();
let key: string;

beforeAll(async () => {
  const userId = await createAccount(worker.db, { plan: "pro" });
  ({ apiKey: key } = await insertApiKey({ db: worker.db, now: Date.now(), userId, mode: "live", name: "test" }));
});

const DIGITS = "2345678901";

/** A number for each shard of a table, whose text there is its `field`. */
function numbersOf(file: `${string}.jsonl`, field: "location" | "carrier"): string[] {
  const found = new Map<string, string>();
  for (const prefix of prefixesOf(prefixTable(file))) {
    const place = prefix.slice(0, 2);
    for (let length = 7; length <= 13 && !found.has(place); length++) {
      const number = `+${(prefix + DIGITS).slice(0, length)}`;
      if (verify(number)[field] !== null) found.set(place, number);
    }
  }
  return [...found.values()];
}

test.each([
  ["location.jsonl", "location"],
  ["carrier.jsonl", "carrier"],
] as const)("each shard of %s opens on the real runtime, with the same texts as in Node", async (file, field) => {
  const numbers = numbersOf(file, field);
  expect(numbers.length).toBeGreaterThan(60);
  const response = await worker.fetch("/api/v1/verify/batch", post(key, { numbers }));
  expect(response.status).toBe(200);
  const { results } = (await response.json()) as { results: unknown[] };
  expect(results).toStrictEqual(numbers.map((number) => verify(number)));
});
