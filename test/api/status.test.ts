import { expect, test } from "vitest";
import * as v from "valibot";
import { Status } from "../../contract/status.ts";
import { deadLetters, operationCounts } from "../../schema.ts";
import { runCommand } from "../../scripts/admin/commands.ts";
import { NEARLY_FULL } from "../../worker/operations/capacity.ts";
import { countOperations } from "../../worker/operations/counters.ts";
import type { OperationsHealth } from "../../worker/status/health.ts";
import { DAY_MS } from "../../worker/platform/time.ts";
import { startWorker } from "../harness.ts";
import { ioOf } from "../io.ts";

const worker = startWorker();

async function readStatus(): Promise<Status> {
  const response = await worker.fetch("/api/v1/status");
  expect(response.status).toBe(200);
  return v.parse(Status, await response.json());
}

async function health(now = Date.now()) {
  const platform = { io: ioOf(worker, () => now), origin: "", queues: {}, dispose: async () => {} };
  const { text, data } = await runCommand({ name: "health" }, platform);
  return { text, data: data as OperationsHealth };
}

test("a cron run measures every part on the real runtime", async () => {
  expect((await health()).text).toMatch(/never measured[^]+Room\n  not measured yet/);
  expect(await worker.schedule("*/5 * * * *")).toBe("ok");
  // The isolate keeps what it read for a few seconds, also for the file before this one.
  const states = async () => (await readStatus()).components.map(({ id, state }) => [id, state]);
  await expect.poll(states, { timeout: 15_000, interval: 500 }).toStrictEqual([
    ["verification", "working"],
    ["database", "working"],
    ["key_store", "working"],
  ]);
  const status = await readStatus();
  expect(status).toMatchObject({ state: "working", incidents: [], schedule: { state: "on_time" } });
  const { latency_ms: median, p95_ms: p95 } = status.components[0]!;
  // A verification on the real runtime takes time, and no second.
  expect(median).toBeGreaterThan(0);
  expect(p95).toBeGreaterThanOrEqual(median!);
  expect(p95).toBeLessThan(1_000);
});

test("operators see checks, jobs, what waits, and what was counted", async () => {
  const { db } = worker;
  const now = Date.now();
  await db.insert(deadLetters).values({ id: "msg_1", queue: "checkline-mail", body: "{}", receivedAt: now - DAY_MS });
  await db.delete(operationCounts);
  await countOperations(db, { mail_sent: 2, mail_retried: 0, events: 9 }, now - DAY_MS);
  await countOperations(db, { mail_sent: 1 }, now);
  await countOperations(db, { mail_sent: 2 }, now);
  const { text, data } = await health(now);
  expect(await db.select().from(operationCounts)).toHaveLength(2);
  const sent = data.counts.find(({ counter }) => counter === "mail_sent");
  expect(sent).toMatchObject({ today: 3, last_7_days: 5 });
  expect(data.waiting).toMatchObject({
    dead_letters: { count: 1, oldest_at: new Date(now - DAY_MS).toISOString() },
    keys_to_sync: { count: 0, oldest_at: null },
    erased_keys: { count: 0, oldest_at: null },
  });
  const jobs = Object.fromEntries(data.jobs.map(({ job, state }) => [job, state]));
  expect(jobs).toMatchObject({ status_checks: "on_time", notices: "never" });
  expect(text).toContain("today 0 of 1 failed");

  expect(await worker.schedule("17 * * * *")).toBe("ok");
  const kept = await health(now);
  const capacities = Object.fromEntries(kept.data.capacities.map((each) => [each.name, each]));
  // Without a provider's quota, the day's emails aren't measured.
  expect(Object.keys(capacities)).toStrictEqual(Object.keys(NEARLY_FULL).slice(0, -1));
  expect(capacities["database_bytes"]).toMatchObject({ most: 10e9, nearly_full: false });
  expect(capacities["database_bytes"]!.used).toBeGreaterThan(100_000);
  expect(kept.text).toMatch(/database +size +[01]\.\d MB of 10,000\.0 MB +measured/);

  // A register of 2025 has ended on any day.
  expect(kept.text).toMatch(
    /Registers of numbers in this checkout;[^]*CA +ENDING +the register of .* since 2025-12-12/,
  );

  const later = await health(now + 20 * 60_000);
  expect(later.text).toMatch(/status_checks +LATE/);
  expect(later.text).toMatch(/key_store +UNKNOWN/);
});
