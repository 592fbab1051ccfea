import type { Database } from "../platform/db.ts";
import { randomBase62 } from "../platform/random.ts";
import type { UsageEvent } from "./event.ts";

/** Most events of one call: at the 360 bytes that an event has at most, 1.8 of the 2 MB that D1 takes as a parameter. */
export const MAX_STORED_EVENTS = 5_000;

// In each statement ?1 is one JSON document: {batch, received_at, events}. D1 takes 100 parameters, whatever the number of events.

/** The join lets events of a deleted account fall away instead of failing everyone else's. */
const INSERT_EVENTS = `
  INSERT INTO usage_events (id, user_id, key_id, mode, day, country_code, outcome, batch, received_at)
  SELECT e.value ->> 'id', users.id, e.value ->> 'key_id', e.value ->> 'mode',
         date((e.value ->> 'at') / 1000, 'unixepoch'), e.value ->> 'country_code', e.value ->> 'outcome',
         ?1 ->> 'batch', ?1 ->> 'received_at'
  FROM json_each(?1, '$.events') AS e
  JOIN users ON users.id = e.value ->> 'user_id'
  WHERE NOT EXISTS (SELECT 1 FROM usage_events AS known WHERE known.id = e.value ->> 'alias')
  ON CONFLICT (id) DO NOTHING`;

/** Marks the other id of each event as counted. The rows are in no delivery's batch, so that nothing is rolled up twice. */
const INSERT_ALIASES = `
  INSERT INTO usage_events (id, user_id, key_id, mode, day, country_code, outcome, batch, received_at)
  SELECT e.value ->> 'alias', users.id, e.value ->> 'key_id', e.value ->> 'mode',
         date((e.value ->> 'at') / 1000, 'unixepoch'), e.value ->> 'country_code', e.value ->> 'outcome',
         'alias', ?1 ->> 'received_at'
  FROM json_each(?1, '$.events') AS e
  JOIN users ON users.id = e.value ->> 'user_id'
  WHERE e.value ->> 'alias' IS NOT NULL
  ON CONFLICT (id) DO NOTHING`;

/** Rows of an earlier delivery carry another batch, so a repeated event is not counted again. */
const ROLL_UP = `
  INSERT INTO usage_daily (user_id, mode, day, country_code, outcome, count)
  SELECT user_id, mode, day, country_code, outcome, count(*)
  FROM usage_events
  WHERE id IN (SELECT e.value ->> 'id' FROM json_each(?1, '$.events') AS e) AND batch = ?1 ->> 'batch'
  GROUP BY user_id, mode, day, country_code, outcome
  ON CONFLICT (user_id, mode, day, country_code, outcome) DO UPDATE SET count = usage_daily.count + excluded.count`;

/** Deliveries come in any order: an older one leaves a newer time alone. */
const TOUCH_KEYS = `
  UPDATE api_keys SET last_used_at = used.at
  FROM (
    SELECT e.value ->> 'key_id' AS key_id, e.value ->> 'user_id' AS user_id, max(e.value ->> 'at') AS at
    FROM json_each(?1, '$.events') AS e
    GROUP BY 1, 2
  ) AS used
  WHERE api_keys.id = used.key_id AND api_keys.user_id = used.user_id
    AND (api_keys.last_used_at IS NULL OR api_keys.last_used_at < used.at)`;

/** One event for each answer, under whichever of its two ids it came: a statement does not see what it inserts itself. */
function uniqueAnswers(events: readonly UsageEvent[]): readonly UsageEvent[] {
  const aliased = events.filter(({ alias }) => alias !== undefined);
  if (aliased.length === 0) return events;
  const known = new Set<string>();
  // Only those with an alias tell which ids belong together, so they come first.
  return [...aliased, ...events].filter(({ id, alias = id }) => {
    if (known.has(id)) return false;
    known.add(id).add(alias);
    return true;
  });
}

/** A batch id for one call of `storeUsage`. */
export function newBatchId(): string {
  return `bat_${randomBase62(20)}`;
}

/**
 * Counts events in `usage_daily`, each id once however often it comes, and moves `last_used_at` of their keys forward. All of it is
 * one transaction: after an error nothing is known to be stored, and calling again is safe, with a **new** batch id, since the first
 * call may have succeeded without our hearing of it.
 * @param events at most `MAX_STORED_EVENTS`, of the form that `UsageMessageSchema` describes
 * @param options.now milliseconds since the Unix epoch, from which the events are kept
 * @throws whatever D1 throws
 */
export async function storeUsage(
  db: Database,
  events: readonly UsageEvent[],
  { now, batchId }: { readonly now: number; readonly batchId: string },
): Promise<void> {
  if (events.length === 0) return;
  if (events.length > MAX_STORED_EVENTS) throw new RangeError(`More than ${MAX_STORED_EVENTS} events at once`);
  const answers = uniqueAnswers(events);
  const delivery = JSON.stringify({ batch: batchId, received_at: now, events: answers });
  const statements = [INSERT_EVENTS, ROLL_UP, TOUCH_KEYS];
  if (answers.some(({ alias }) => alias !== undefined)) statements.push(INSERT_ALIASES);
  const d1 = db.$client;
  await d1.batch(statements.map((statement) => d1.prepare(statement).bind(delivery)));
}
