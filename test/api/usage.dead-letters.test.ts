import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { deadLetters, usageDaily } from "../../schema.ts";
import { consumeUsage } from "../../worker/usage/consumer.ts";
import { DAY_MS } from "../../worker/platform/time.ts";
import { consumeDeadLetters, listDeadLetters, replayDeadLetters } from "../../worker/usage/dead-letters.ts";
import { createAccount } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { deliver } from "../queue-batch.ts";
import { NOON, usageEvent } from "../usage-events.ts";

const worker = startWorker();
let errors: Record<string, unknown>[];

beforeEach(async () => {
  errors = [];
  vi.spyOn(console, "error").mockImplementation((line: string) => {
    errors.push(JSON.parse(line));
  });
  await worker.db.delete(deadLetters);
});

afterEach(() => {
  vi.restoreAllMocks();
});

async function consumeDead(queue: string, ids: readonly string[], now = NOON) {
  const letters = ids.map((id) => ({ id, body: { about: id } }));
  const delivery = deliver(queue, letters);
  await consumeDeadLetters(delivery.batch, worker.env, now);
  return delivery.outcome;
}

/** A queue that keeps what it gets, and refuses all but so many messages. */
function openQueue(takes = Infinity) {
  const taken: unknown[] = [];
  async function send(body: unknown): Promise<void> {
    if (taken.length >= takes) throw new Error("Queue send failed");
    taken.push(body);
  }
  return { taken, send };
}

async function keptIds(): Promise<string[]> {
  return (await listDeadLetters(worker.db)).map(({ id }) => id);
}

describe("a message that failed for good", () => {
  test("is kept once, however often it comes, under the queue it failed in", async () => {
    expect(await consumeDead("checkline-usage-dead", ["a", "b"])).toMatchObject({ acked: true });
    expect(await consumeDead("checkline-usage-dead", ["b", "c"], NOON + 1)).toMatchObject({ acked: true });
    expect(await listDeadLetters(worker.db)).toStrictEqual([
      { id: "a", queue: "checkline-usage", body: '{"about":"a"}', receivedAt: NOON },
      { id: "b", queue: "checkline-usage", body: '{"about":"b"}', receivedAt: NOON },
      { id: "c", queue: "checkline-usage", body: '{"about":"c"}', receivedAt: NOON + 1 },
    ]);
    expect(await listDeadLetters(worker.db, 1)).toHaveLength(1);
  });

  test("is reported in one line of error a delivery, without its body", async () => {
    await consumeDead("checkline-mail-dead", ["a", "b", "c"]);
    expect(errors).toStrictEqual([{ level: "error", event: "dead_letters", queue: "checkline-mail", count: 3 }]);
  });

  test("comes again when the database cannot keep it", async () => {
    await worker.env.DB.exec("ALTER TABLE dead_letters RENAME TO dead_letters_away");
    try {
      expect(await consumeDead("checkline-usage-dead", ["a"])).toStrictEqual({ acked: false, retriedAfter: 60 });
    } finally {
      await worker.env.DB.exec("ALTER TABLE dead_letters_away RENAME TO dead_letters");
    }
    expect(errors).toMatchObject([{ event: "dead_letters_not_kept", count: 1 }]);
    await consumeDead("checkline-usage-dead", ["a"]);
    expect(await keptIds()).toStrictEqual(["a"]);
  });

  test("is kept even when it is no JSON", async () => {
    const bodies = [undefined, 10n, "text", { events: "x".repeat(50_000) }];
    const letters = bodies.map((body, index) => ({ id: `odd_${index}`, body }));
    await consumeDeadLetters(deliver("checkline-usage-dead", letters).batch, worker.env, NOON);
    const kept = await listDeadLetters(worker.db);
    expect(kept.slice(0, 3).map(({ body }) => body)).toStrictEqual(["null", '"10"', '"text"']);
    expect(kept).toHaveLength(4);
  });
});

describe("replaying", () => {
  test("puts each message back into its queue, the oldest first, and deletes its row", async () => {
    await consumeDead("checkline-mail-dead", ["m1"], NOON + 2);
    await consumeDead("checkline-usage-dead", ["u2"], NOON + 1);
    await consumeDead("checkline-usage-dead", ["u1"], NOON);
    const [usage, mail] = [openQueue(), openQueue()];
    const queues = { "checkline-usage": usage, "checkline-mail": mail };
    expect(await replayDeadLetters(worker.db, queues)).toStrictEqual({ replayed: 3, left: 0 });
    expect(usage.taken).toStrictEqual([{ about: "u1" }, { about: "u2" }]);
    expect(mail.taken).toStrictEqual([{ about: "m1" }]);
    expect(await replayDeadLetters(worker.db, queues)).toStrictEqual({ replayed: 0, left: 0 });
  });

  test("leaves the rows of other queues", async () => {
    await consumeDead("checkline-mail-dead", ["m1"]);
    await consumeDead("checkline-usage-dead", ["u1"]);
    const usage = openQueue();
    expect(await replayDeadLetters(worker.db, { "checkline-usage": usage })).toStrictEqual({ replayed: 1, left: 1 });
    expect(await keptIds()).toStrictEqual(["m1"]);
    expect(await replayDeadLetters(worker.db, {})).toStrictEqual({ replayed: 0, left: 1 });
  });

  test("keeps the rows that a queue does not take", async () => {
    await consumeDead("checkline-usage-dead", ["u1", "u2", "u3"]);
    const usage = openQueue(1);
    await expect(replayDeadLetters(worker.db, { "checkline-usage": usage })).rejects.toThrow("Queue send failed");
    expect(usage.taken).toHaveLength(1);
    expect(await keptIds()).toStrictEqual(["u2", "u3"]);
  });

  test("takes a hundred at a time", async () => {
    await consumeDead(
      "checkline-usage-dead",
      Array.from({ length: 100 }, (_, index) => `a${index}`),
    );
    await consumeDead("checkline-usage-dead", ["b0", "b1"], NOON + 1);
    const usage = openQueue();
    expect(await replayDeadLetters(worker.db, { "checkline-usage": usage })).toStrictEqual({ replayed: 100, left: 2 });
    expect(await keptIds()).toStrictEqual(["b0", "b1"]);
  });
});

describe("a usage message that cannot be counted", () => {
  async function countOf(userId: string): Promise<number> {
    const rows = await worker.db.select().from(usageDaily).where(eq(usageDaily.userId, userId));
    return rows.reduce((sum, row) => sum + row.count, 0);
  }

  test("becomes a dead letter and holds no other up", async () => {
    const userId = await createAccount(worker.db);
    const untimely = { events: [usageEvent({ user_id: userId, at: NOON - 20 * DAY_MS })] };
    const letters = [
      { id: "malformed", body: { event: "?" } },
      { id: "good", body: { events: [usageEvent({ user_id: userId })] } },
      { id: "untimely", body: untimely },
    ];
    for (let round = 0; round < 2; round++) {
      const delivery = deliver("checkline-usage", letters);
      await consumeUsage(delivery.batch, worker.env, NOON);
      expect(delivery.outcome.acked).toBe(true);
    }
    expect(await countOf(userId)).toBe(1);
    expect(await listDeadLetters(worker.db)).toStrictEqual([
      { id: "malformed", queue: "checkline-usage", body: '{"event":"?"}', receivedAt: NOON },
      { id: "untimely", queue: "checkline-usage", body: JSON.stringify(untimely), receivedAt: NOON },
    ]);
    const line = { level: "error", event: "usage_set_aside", malformed: 1, untimely: 1 };
    expect(errors).toStrictEqual([line, line]);
  });

  test("is counted once when the database is back, though it had failed, died and was replayed twice", async () => {
    const userId = await createAccount(worker.db);
    const body = { events: [usageEvent({ user_id: userId })] };
    await worker.env.DB.exec("ALTER TABLE usage_daily RENAME TO usage_daily_away");
    try {
      const delivery = deliver("checkline-usage", [{ id: "late", body, attempts: 3 }]);
      await consumeUsage(delivery.batch, worker.env, NOON);
      expect(delivery.outcome).toStrictEqual({ acked: false, retriedAfter: 40 });
      expect(errors).toMatchObject([{ event: "usage_not_stored", queue: "checkline-usage", messages: 1, attempts: 3 }]);
    } finally {
      await worker.env.DB.exec("ALTER TABLE usage_daily_away RENAME TO usage_daily");
    }
    for (let round = 0; round < 2; round++) {
      await consumeDeadLetters(deliver("checkline-usage-dead", [{ id: "late", body }]).batch, worker.env, NOON);
      const usage = openQueue();
      await replayDeadLetters(worker.db, { "checkline-usage": usage });
      const letters = usage.taken.map((again, index) => ({ id: `again_${index}`, body: again }));
      await consumeUsage(deliver("checkline-usage", letters).batch, worker.env, NOON);
    }
    expect(await countOf(userId)).toBe(1);
  });
});
