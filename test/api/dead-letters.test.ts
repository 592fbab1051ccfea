import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { deadLetters } from "../../schema.ts";
import { consumeDeadLetters, listDeadLetters, replayDeadLetters } from "../../worker/operations/dead-letters.ts";
import { startWorker } from "../harness.ts";
import { deliver } from "../queue-batch.ts";
import { NOON } from "../usage.ts";

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
  const messages = ids.map((id) => ({ id, body: { about: id } }));
  const delivery = deliver(queue, messages);
  await consumeDeadLetters(delivery.batch, worker.db, now);
  return delivery.outcome;
}

/** A queue that stores messages, and rejects all after the first few. */
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

describe("a message that failed permanently", () => {
  test("is stored once, however often it arrives, under the queue it failed in", async () => {
    expect(await consumeDead("checkline-usage-dead", ["a", "b"])).toMatchObject({ acked: true });
    expect(await consumeDead("checkline-usage-dead", ["b", "c"], NOON + 1)).toMatchObject({ acked: true });
    expect(await listDeadLetters(worker.db)).toStrictEqual([
      { id: "a", queue: "checkline-usage", body: '{"about":"a"}', receivedAt: NOON },
      { id: "b", queue: "checkline-usage", body: '{"about":"b"}', receivedAt: NOON },
      { id: "c", queue: "checkline-usage", body: '{"about":"c"}', receivedAt: NOON + 1 },
    ]);
    expect(await listDeadLetters(worker.db, 1)).toHaveLength(1);
  });

  test("is reported in one error line per delivery, without its body", async () => {
    await consumeDead("checkline-mail-dead", ["a", "b", "c"]);
    expect(errors).toStrictEqual([{ level: "error", event: "dead_letters", queue: "checkline-mail", count: 3 }]);
  });

  test("is retried when the database can't store it", async () => {
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

  test("is stored even when it is not JSON", async () => {
    const bodies = [undefined, 10n, "text", { events: "x".repeat(50_000) }];
    const messages = bodies.map((body, index) => ({ id: `odd_${index}`, body }));
    await consumeDeadLetters(deliver("checkline-usage-dead", messages).batch, worker.db, NOON);
    const kept = await listDeadLetters(worker.db);
    expect(kept.slice(0, 3).map(({ body }) => body)).toStrictEqual(["null", '"10"', '"text"']);
    expect(kept).toHaveLength(4);
  });
});

describe("replaying", () => {
  test("is put back into its queue, the oldest first, and its row is deleted", async () => {
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

  test("stays if it belongs to another queue", async () => {
    await consumeDead("checkline-mail-dead", ["m1"]);
    await consumeDead("checkline-usage-dead", ["u1"]);
    const usage = openQueue();
    expect(await replayDeadLetters(worker.db, { "checkline-usage": usage })).toStrictEqual({ replayed: 1, left: 1 });
    expect(await keptIds()).toStrictEqual(["m1"]);
    expect(await replayDeadLetters(worker.db, {})).toStrictEqual({ replayed: 0, left: 1 });
  });

  test("stays if a queue rejects it", async () => {
    await consumeDead("checkline-usage-dead", ["u1", "u2", "u3"]);
    const usage = openQueue(1);
    await expect(replayDeadLetters(worker.db, { "checkline-usage": usage })).rejects.toThrow("Queue send failed");
    expect(usage.taken).toHaveLength(1);
    expect(await keptIds()).toStrictEqual(["u2", "u3"]);
  });

  test("is replayed a hundred at a time", async () => {
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
