import { afterEach, describe, expect, test, vi } from "vitest";
import { localQueues } from "../../scripts/admin/platform.ts";
import { deadLetters } from "../../schema.ts";
import { listDeadLetters, replayDeadLetters } from "../../worker/operations/dead-letters.ts";
import { createSignedIn } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { mailsTo } from "../mailbox.ts";

const worker = startWorker();

afterEach(() => {
  vi.restoreAllMocks();
});

describe("dead letters on this machine", () => {
  test("are consumed by their intended consumer, and kept when that fails again", async () => {
    vi.spyOn(console, "log").mockImplementation(() => {});
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { db, env } = worker;
    const { id: userId, email } = await createSignedIn(db);
    const mail = { user_id: userId, purpose: "password_changed" };
    const unknown = { user_id: userId, purpose: "unknown" };
    // Ledgers can't be reached, so their messages stay.
    const messages = Object.entries({ "checkline-usage": {}, "checkline-mail": mail }).map(([queue, body]) => ({
      id: `replayed_${queue}`,
      queue,
      body: JSON.stringify(body),
      receivedAt: 1,
    }));
    const failing = { id: "kept", queue: "checkline-mail", body: JSON.stringify(unknown), receivedAt: 2 };
    await db.insert(deadLetters).values([...messages, failing]);

    await expect(replayDeadLetters(db, localQueues(env))).rejects.toThrow("checkline-mail failed again");
    expect((await listDeadLetters(db)).map(({ id }) => id)).toStrictEqual(["replayed_checkline-usage", "kept"]);
    expect((await mailsTo(worker, email)).map(({ subject }) => subject)).toHaveLength(1);
  });
});
