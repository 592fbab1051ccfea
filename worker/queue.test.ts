import { expect, test } from "vitest";
import { captureLog } from "../test/captured-log.ts";
import { deliver } from "../test/queue-batch.ts";
import type { Bindings } from "./env.ts";
import { createIsolate } from "./io.ts";
import { consumeBatch } from "./queue.ts";

captureLog("log");

const isolate = createIsolate({ USAGE_QUEUE: "renamed", MAIL_QUEUE: "emails" } as Bindings);
const TO_NOBODY = { id: "message", body: { user_id: null, purpose: "reset_password" } };

test("a delivery goes to the consumer that the settings name for its queue, whatever the name", async () => {
  const delivery = deliver("emails", [TO_NOBODY]);
  await consumeBatch(delivery.batch, isolate);
  expect(delivery.outcome.acked).toBe(true);
});

test("a delivery of a queue that the settings don't name fails, and stays in the queue", async () => {
  const delivery = deliver("checkline-mail", [TO_NOBODY]);
  await expect(consumeBatch(delivery.batch, isolate)).rejects.toThrow("checkline-mail");
  expect(delivery.outcome).toStrictEqual({ acked: false, retriedAfter: null });
});
