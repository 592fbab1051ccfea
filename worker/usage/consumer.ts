import type { Message, MessageBatch } from "@cloudflare/workers-types";
import * as v from "valibot";
import { openDatabase } from "../platform/db.ts";
import type { Bindings } from "../env.ts";
import { DAY_MS } from "../platform/time.ts";
import { keepDeadLetters } from "./dead-letters.ts";
import type { UsageEvent } from "./event.ts";
import { failureText, logLine } from "../platform/log.ts";
import { backoffSeconds } from "../platform/queues.ts";
import type { Tally } from "../operations/counters.ts";
import { UsageMessageSchema } from "./message-schema.ts";
import { EVENT_RETENTION_DAYS } from "./purge.ts";
import { MAX_STORED_EVENTS, newBatchId, storeUsage } from "./store.ts";

/** Ten tries outlast an outage of an hour. */
const RETRY_SECONDS = { first: 10, longest: 1_800 };

type Delivered = Message<unknown>;

/** A day less than rows are kept: until then a repeat is sure to meet its row. */
const COUNTABLE_DAYS = EVENT_RETENTION_DAYS - 1;

function isCountable({ at }: UsageEvent, now: number): boolean {
  return at > now - COUNTABLE_DAYS * DAY_MS && at < now + DAY_MS;
}

/**
 * What of a delivery can be counted exactly once, and which messages cannot: those of another form, and those of a time for which
 * no rows are kept, such as a dead letter that is replayed after weeks.
 */
export function sortDelivery(
  messages: readonly Delivered[],
  now: number,
): { readonly events: UsageEvent[]; readonly malformed: Delivered[]; readonly untimely: Delivered[] } {
  const sorted = { events: [] as UsageEvent[], malformed: [] as Delivered[], untimely: [] as Delivered[] };
  for (const message of messages) {
    const parsed = v.safeParse(UsageMessageSchema, message.body);
    if (!parsed.success) sorted.malformed.push(message);
    else if (!parsed.output.events.every((event) => isCountable(event, now))) sorted.untimely.push(message);
    else sorted.events.push(...parsed.output.events);
  }
  return sorted;
}

async function tellCharged(
  events: readonly UsageEvent[],
  onCharged: (userIds: readonly string[]) => Promise<void>,
): Promise<void> {
  const charged = events.filter(({ mode, outcome }) => mode === "live" && outcome === "success");
  const userIds = [...new Set(charged.map((event) => event.user_id))];
  if (userIds.length === 0) return;
  try {
    await onCharged(userIds);
  } catch (error) {
    logLine("error", "usage_not_told", { accounts: userIds.length, message: failureText(error) });
  }
}

/**
 * The consumer of the USAGE queue. Counts all events of a delivery, which may be a repeated one, then acknowledges it; when the
 * database fails, all of it comes again later. Messages that cannot be counted become dead letters and hold nobody up.
 * @param onCharged is told whose quota was used once it is counted; whatever it throws is logged, since the events are stored
 * @returns how many events were counted, messages set aside, and messages asked for again
 */
export async function consumeUsage(
  batch: MessageBatch<unknown>,
  env: Pick<Bindings, "DB">,
  now = Date.now(),
  onCharged: (userIds: readonly string[]) => Promise<void> = async () => {},
): Promise<Tally> {
  const db = openDatabase(env.DB);
  const { events, malformed, untimely } = sortDelivery(batch.messages, now);
  const setAside = [...malformed, ...untimely];
  try {
    for (let start = 0; start < events.length; start += MAX_STORED_EVENTS) {
      await storeUsage(db, events.slice(start, start + MAX_STORED_EVENTS), { now, batchId: newBatchId() });
    }
    if (setAside.length > 0) await keepDeadLetters(db, { queue: batch.queue, messages: setAside }, now);
  } catch (error) {
    const attempts = Math.max(...batch.messages.map((message) => message.attempts));
    const details = { queue: batch.queue, messages: batch.messages.length, attempts, message: failureText(error) };
    logLine("error", "usage_not_stored", details);
    batch.retryAll({ delaySeconds: backoffSeconds(attempts, RETRY_SECONDS) });
    return { usage_retried: batch.messages.length };
  }
  batch.ackAll();
  await tellCharged(events, onCharged);
  if (setAside.length > 0) {
    logLine("error", "usage_set_aside", { malformed: malformed.length, untimely: untimely.length });
  }
  return { events: events.length, usage_set_aside: setAside.length };
}
