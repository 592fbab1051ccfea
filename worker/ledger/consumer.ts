import type { Message, MessageBatch, Queue } from "@cloudflare/workers-types";
import * as v from "valibot";
import { keepDeadLetters } from "../operations/dead-letters.ts";
import type { Tally } from "../operations/counters.ts";
import type { Database } from "../platform/db.ts";
import { failureText, logLine } from "../platform/log.ts";
import { backoffSeconds } from "../platform/queues.ts";
import { sleep, within } from "../platform/time-limit.ts";
import { callLedger } from "./namespace.ts";
import type { LedgerNamespace } from "./namespace.ts";
import { numbersIn, UsageMessageSchema } from "./part.ts";
import type { Part, UsageMessage } from "./part.ts";

/** Delay before resending a part that its ledger rejected. */
const RETRY_SECONDS = { first: 10, longest: 12_000 };
/** Ledgers called concurrently. */
const LEDGERS_AT_A_TIME = 32;

/** How long the queue may take to accept a message, in milliseconds. */
const SEND_MS = 5_000;

/** The consumer's dependencies. */
export interface Consuming {
  readonly db: Database;
  readonly ledgers: LedgerNamespace;
  readonly queue: Pick<Queue<UsageMessage>, "send">;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** How old counts may be, in milliseconds: less than the queue's retention. */
  readonly maxAge: number;
}

interface Delivered {
  readonly message: Message<unknown>;
  readonly body: UsageMessage;
}

/** One account's share of a delivery, and the messages it came in. */
interface Work {
  readonly user: string;
  readonly parts: { readonly part: Part; readonly from: Delivered }[];
  readonly erasures: Delivered[];
}

function sortByAccount(delivered: readonly Delivered[]): Work[] {
  const works = new Map<string, Work>();
  function workOf(user: string): Work {
    const known = works.get(user) ?? { user, parts: [], erasures: [] };
    works.set(user, known);
    return known;
  }
  for (const from of delivered) {
    if ("erase" in from.body) workOf(from.body.erase).erasures.push(from);
    else for (const part of from.body.parts) workOf(part.user).parts.push({ part, from });
  }
  return [...works.values()];
}

/** Runs that many concurrently. Their promises must never reject. */
async function eachOf<Item>(items: readonly Item[], atATime: number, run: (item: Item) => Promise<void>) {
  const left = items.values();
  await Promise.all(
    Array.from({ length: Math.min(atATime, items.length) }, async () => {
      for (const item of left) await run(item);
    }),
  );
}

/**
 * The consumer of the USAGE queue. Each ledger gets all of its parts of a delivery in one call. What a ledger rejects
 * is resent alone, later, and blocks no other account; malformed messages become dead letters. Parts too old to keep
 * waiting are acknowledged, and their count logged as `usage_lost`.
 * @returns how many numbers were counted and lost, messages set aside, and parts resent
 */
export async function consumeUsage(batch: MessageBatch<unknown>, consuming: Consuming): Promise<Tally> {
  const { db, ledgers, queue, now, maxAge } = consuming;
  const delivered: Delivered[] = [];
  const malformed: Message<unknown>[] = [];
  const again = new Map<Message<unknown>, number>();
  const tally = { numbers: 0, usage_lost: 0, usage_retried: 0, usage_set_aside: 0 };
  for (const message of batch.messages) {
    const parsed = v.safeParse(UsageMessageSchema, message.body);
    if (parsed.success) delivered.push({ message, body: parsed.output });
    else malformed.push(message);
  }

  /** Resends what a ledger rejected; if the queue rejects that too, the whole message is redelivered. */
  async function sendAgain(body: UsageMessage, { message, body: { tries = 0 } }: Delivered): Promise<void> {
    const delaySeconds = backoffSeconds(tries + 1, RETRY_SECONDS);
    tally.usage_retried += 1;
    try {
      const sent = queue.send({ ...body, tries: tries + 1 }, { contentType: "json", delaySeconds });
      await within(sent, SEND_MS, sleep);
    } catch {
      again.set(message, delaySeconds);
    }
  }

  async function deliver({ user, parts, erasures }: Work): Promise<void> {
    const timely = parts.filter(({ part }) => part.at >= now - maxAge);
    const late = parts.filter(({ part }) => part.at < now - maxAge);
    tally.usage_lost += late.reduce((sum, { part }) => sum + numbersIn(part), 0);
    try {
      const near = timely.find(({ part }) => part.near !== undefined)?.part.near;
      const account = { user, ...(near && { near }) };
      if (erasures.length > 0) await callLedger(ledgers, account, (ledger) => ledger.erase());
      if (timely.length === 0) return;
      const sent = timely.map(({ part }) => part);
      tally.usage_lost += await callLedger(ledgers, account, (ledger) => ledger.record(sent));
      tally.numbers += sent.reduce((sum, part) => sum + numbersIn(part), 0);
    } catch (error) {
      logLine("error", "usage_not_stored", { parts: timely.length, message: failureText(error) });
      for (const from of erasures) await sendAgain({ erase: user }, from);
      for (const { part, from } of timely) await sendAgain({ parts: [part] }, from);
    }
  }

  await eachOf(sortByAccount(delivered), LEDGERS_AT_A_TIME, deliver);
  if (malformed.length > 0) {
    try {
      await keepDeadLetters(db, { queue: batch.queue, messages: malformed }, now);
      tally.usage_set_aside = malformed.length;
      logLine("error", "usage_set_aside", { malformed: malformed.length });
    } catch (error) {
      logLine("error", "dead_letters_not_kept", { count: malformed.length, message: failureText(error) });
      for (const message of malformed) again.set(message, backoffSeconds(message.attempts, RETRY_SECONDS));
    }
  }
  if (tally.usage_lost > 0) logLine("error", "usage_lost", { count: tally.usage_lost, message: "too old" });
  for (const message of batch.messages) {
    const delaySeconds = again.get(message);
    if (delaySeconds === undefined) message.ack();
    else message.retry({ delaySeconds });
  }
  return tally;
}
