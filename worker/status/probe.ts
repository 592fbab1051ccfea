import type { Message, MessageBatch } from "@cloudflare/workers-types";
import { and, eq } from "drizzle-orm";
import * as v from "valibot";
import { statusChecks } from "../../schema.ts";
import { openDatabase } from "../platform/db.ts";
import type { Database } from "../platform/db.ts";
import type { Bindings } from "../env.ts";
import { sleep, within } from "../platform/time-limit.ts";
import { failureText, logLine } from "../platform/log.ts";
import { storeChecks } from "./checks.ts";
import type { Check } from "./checks.ts";
import { Probe } from "./messages.ts";
import type { ProbeMessage } from "./messages.ts";

/** How long a message may take through the queue and back, and the queue or D1 to answer one call, in milliseconds. */
const ROUND_TRIP_MS = 30_000;
const PART_MS = 5_000;
const LOOK_EVERY_MS = 1_000;

function probeOf({ body }: Message<unknown>): ProbeMessage["probe"] | null {
  const parsed = v.safeParse(Probe, body);
  return parsed.success ? parsed.output.probe : null;
}

/**
 * Notes when a probe arrived, and adds up its day, which may be over: then no run does it any more. A later delivery would measure the database's outage, not the queue, so D1 is tried for
 * five seconds.
 */
async function recordArrival(env: Pick<Bindings, "DB">, probe: ProbeMessage["probe"], now: number): Promise<void> {
  const { sent_at, at } = probe;
  const took = Math.max(0, now - sent_at);
  const successful = took <= ROUND_TRIP_MS;
  const check: Check = { component: "queue", at, successful, latencyMs: successful ? took : null };
  while (true) {
    try {
      return await within(storeChecks(openDatabase(env.DB), [check]), PART_MS, sleep);
    } catch (error) {
      if (Date.now() >= now + PART_MS) return logLine("warn", "probe_not_recorded", { message: failureText(error) });
      await sleep(LOOK_EVERY_MS);
    }
  }
}

/**
 * Takes the probes out of a delivery, notes when they arrived, and acknowledges them.
 * @returns what is left for the queue's own consumer
 */
export async function takeProbes(
  batch: MessageBatch<unknown>,
  env: Pick<Bindings, "DB">,
  now: number,
): Promise<MessageBatch<unknown>> {
  const rest: Message<unknown>[] = [];
  for (const message of batch.messages) {
    const probe = probeOf(message);
    if (probe === null) {
      rest.push(message);
      continue;
    }
    await recordArrival(env, probe, now);
    message.ack();
  }
  if (rest.length === batch.messages.length) return batch;
  const { queue, metadata } = batch;
  return {
    queue,
    metadata,
    messages: rest,
    ackAll: () => batch.ackAll(),
    retryAll: (options) => batch.retryAll(options),
  };
}

/** What has been stored of the probe that the run of this time sent. */
async function arrival(db: Database, at: number): Promise<Check | undefined> {
  const mine = and(eq(statusChecks.component, "queue"), eq(statusChecks.at, at));
  return db.select().from(statusChecks).where(mine).get();
}

/**
 * Sends a message through the queue and waits until the consumer has noted its arrival. Time counts from the sending: what D1 took
 * before is not the queue's.
 * @param at when the run began, in milliseconds since the Unix epoch
 * @param databaseTakesWrites whether D1, where the arrival is noted, does
 * @returns null when nothing can be said: the queue took the message, and its arrival may have been noted nowhere
 */
export async function checkQueue(
  env: Pick<Bindings, "USAGE">,
  db: Database,
  at: number,
  databaseTakesWrites: boolean,
): Promise<Check | null> {
  const failed: Check = { component: "queue", at, successful: false, latencyMs: null };
  const sentAt = Date.now();
  try {
    await within(env.USAGE.send({ probe: { at, sent_at: sentAt } }, { contentType: "json" }), PART_MS, sleep);
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
    // D1 may have stopped taking writes in the meantime. Only while it takes this one is the queue to blame.
    await within(storeChecks(db, [failed]), PART_MS, sleep);
  } catch {
    return null;
  }
  logLine("warn", "status_check_failed", { component: "queue", message: `Not back within ${ROUND_TRIP_MS} ms` });
  return failed;
}
