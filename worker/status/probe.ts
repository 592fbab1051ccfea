import type { Message, Queue } from "@cloudflare/workers-types";
import { and, eq } from "drizzle-orm";
import * as v from "valibot";
import { statusChecks } from "../../schema.ts";
import type { Database } from "../platform/db.ts";
import { sleep, within } from "../platform/time-limit.ts";
import { failureText, logLine } from "../platform/log.ts";
import { storeChecks } from "./checks.ts";
import type { Check } from "./checks.ts";

const Time = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/**
 * A message that measures round-trip time, in the queue for usage. `at` is when its run began, which identifies the
 * check.
 */
const Probe = v.object({ probe: v.object({ at: Time, sent_at: Time }) });
export type ProbeMessage = v.InferOutput<typeof Probe>;

/**
 * How long a message may take through the queue and back, and how long one call to the queue or D1 may take, in
 * milliseconds.
 */
const ROUND_TRIP_MS = 30_000;
const PART_MS = 5_000;
const LOOK_EVERY_MS = 1_000;

function probeOf({ body }: Message<unknown>): ProbeMessage["probe"] | null {
  const parsed = v.safeParse(Probe, body);
  return parsed.success ? parsed.output.probe : null;
}

/**
 * Records when a probe arrived, and adds up its day, since later runs won't if that day is over. Redelivery would
 * measure the database's outage, not the queue, so D1 is tried for five seconds.
 */
async function recordArrival(db: Database, probe: ProbeMessage["probe"], now: number): Promise<void> {
  const { sent_at, at } = probe;
  const took = Math.max(0, now - sent_at);
  const successful = took <= ROUND_TRIP_MS;
  const check: Check = { component: "queue", at, successful, latencyMs: successful ? took : null };
  while (true) {
    try {
      return await within(storeChecks(db, [check]), PART_MS, sleep);
    } catch (error) {
      if (Date.now() >= now + PART_MS) return logLine("warn", "probe_not_recorded", { message: failureText(error) });
      await sleep(LOOK_EVERY_MS);
    }
  }
}

/**
 * Records the arrival of the probes among some messages, and acknowledges them.
 * @returns the other messages, for the queue's own consumer
 */
export async function takeProbes(
  messages: readonly Message<unknown>[],
  db: Database,
  now: number,
): Promise<readonly Message<unknown>[]> {
  const others: Message<unknown>[] = [];
  for (const message of messages) {
    const probe = probeOf(message);
    if (probe === null) others.push(message);
    else {
      await recordArrival(db, probe, now);
      message.ack();
    }
  }
  return others;
}

/** The stored check for the probe that the run of this time sent. */
async function arrival(db: Database, at: number): Promise<Check | undefined> {
  const mine = and(eq(statusChecks.component, "queue"), eq(statusChecks.at, at));
  return db.select().from(statusChecks).where(mine).get();
}

/**
 * Sends a message through the queue and waits until the consumer has recorded its arrival. Timing starts at the send,
 * so it excludes earlier D1 time.
 * @param at when the run began, in milliseconds since the Unix epoch
 * @param databaseTakesWrites whether D1, where the arrival is recorded, accepts writes
 * @returns null if undetermined: the queue accepted the message, but its arrival may not have been recorded
 */
export async function checkQueue(
  queue: Pick<Queue<ProbeMessage>, "send">,
  db: Database,
  at: number,
  databaseTakesWrites: boolean,
): Promise<Check | null> {
  const failed: Check = { component: "queue", at, successful: false, latencyMs: null };
  const sentAt = Date.now();
  try {
    await within(queue.send({ probe: { at, sent_at: sentAt } }, { contentType: "json" }), PART_MS, sleep);
  } catch (error) {
    logLine("warn", "status_check_failed", { component: "queue", message: failureText(error) });
    return failed;
  }
  if (!databaseTakesWrites) return null;
  try {
    while (Date.now() < sentAt + ROUND_TRIP_MS) {
      await sleep(LOOK_EVERY_MS);
      const arrived = await within(arrival(db, at), PART_MS, sleep);
      if (arrived !== undefined) return arrived;
    }
    // D1 may have stopped accepting writes in the meantime. The queue is to blame only if D1 accepts this one.
    await within(storeChecks(db, [failed]), PART_MS, sleep);
  } catch {
    return null;
  }
  logLine("warn", "status_check_failed", { component: "queue", message: `Not back within ${ROUND_TRIP_MS} ms` });
  return failed;
}
