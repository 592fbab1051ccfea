import type { D1Database } from "@cloudflare/workers-types";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { captureLog } from "../../test/captured-log.ts";
import { parseConfig } from "../platform/config.ts";
import { openDatabase } from "../platform/db.ts";
import { sendNotice } from "./queue.ts";

const log = captureLog("error", "warn");
const fullQueue = { send: () => Promise.reject(new Error("the queue is full")) };

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test("a notice that the queue rejects waits at most two seconds for D1", async () => {
  const never = () => new Promise(() => {});
  const hanging = { prepare: () => ({ bind: () => ({ run: never }) }), batch: never } as unknown as D1Database;
  const config = parseConfig({ ENVIRONMENT: "development", SESSION_SECRET: "a-secret-of-this-test-and-no-other" });
  const io = { db: openDatabase(hanging), now: Date.now(), queues: { mail: fullQueue }, config };
  const started = Date.now();
  const [took] = await Promise.all([
    sendNotice(io, { purpose: "password_changed" }, { user_id: "usr_1" }).then(() => Date.now() - started),
    vi.advanceTimersByTimeAsync(60_000),
  ]);
  expect(took).toBe(2_000);
  expect(log.events()).toStrictEqual(["notice_not_counted", "mail_not_queued", "not_counted"]);
  expect(log.parsed()[2]).toMatchObject({ counts: { mail_not_queued: 1 }, message: "No response within 1000 ms" });
});
