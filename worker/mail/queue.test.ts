import type { D1Database } from "@cloudflare/workers-types";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { captureLog } from "../../test/captured-log.ts";
import { openDatabase } from "../platform/db.ts";
import { createMailQueue } from "./queue.ts";

const log = captureLog("error", "warn");
const fullQueue = { send: () => Promise.reject(new Error("the queue is full")) };

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test("a notice that the queue refuses waits for its count no longer than a second", async () => {
  const hanging = { prepare: () => ({ bind: () => ({ run: () => new Promise(() => {}) }) }) } as unknown as D1Database;
  const queue = createMailQueue({ queue: fullQueue, db: openDatabase(hanging), now: Date.now(), isConfigured: true });
  const started = Date.now();
  const [took] = await Promise.all([
    queue.notify({ user_id: "usr_1", purpose: "password_changed" }).then(() => Date.now() - started),
    vi.advanceTimersByTimeAsync(60_000),
  ]);
  expect(took).toBe(1_000);
  expect(log.events()).toStrictEqual(["mail_not_queued", "not_counted"]);
  expect(log.parsed()[1]).toMatchObject({ counts: { mail_not_queued: 1 }, message: "No answer within 1000 ms" });
});
