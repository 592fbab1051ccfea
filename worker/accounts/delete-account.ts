import { and, eq, isNull } from "drizzle-orm";
import { apiKeys, users } from "../../schema.ts";
import type { Io } from "../io.ts";
import { publishTombstones } from "../keys/cache/publish.ts";
import { callLedger } from "../ledger/namespace.ts";
import { forgetMails } from "../mail/mailbox.ts";
import { failureText, logLine } from "../platform/log.ts";
import { claimGrantedTrials, releaseClaim } from "../subscriptions/trial-claims.ts";
import { logEvent } from "./security-events.ts";

/** How long the ledger is waited for, in milliseconds. */
const ERASE_MS = 2_000;

/** Erases what was counted, now or by the queue. If both fail, the ledger finds within a day that its account is gone. */
async function eraseLedger(ledgers: Io["ledgers"], queue: Io["queues"]["usage"], userId: string): Promise<void> {
  try {
    if (ledgers === null) await queue.send({ erase: userId }, { contentType: "json" });
    else await callLedger(ledgers, { user: userId }, (ledger) => ledger.erase(), ERASE_MS);
  } catch (error) {
    logLine("warn", "ledger_not_erased", { message: failureText(error) });
    if (ledgers !== null) await eraseLedger(null, queue, userId);
  }
}

/**
 * Erases an account; its keys, subscription and tokens go with it by the schema's cascades, its usage with its ledger. That its owner
 * had a trial is remembered for a year. The keys that worked until now are read with the deletion in one step, so that none is made
 * in between, and are refused everywhere as soon as KV shows it.
 */
export async function deleteAccount(io: Io, userId: string): Promise<void> {
  const { db, now, config, edge, ledgers, queues } = io;
  await claimGrantedTrials({ db, now, secret: config.trialSecret }, userId);
  const [keys] = await db.batch([
    db
      .select({ hash: apiKeys.hash, version: apiKeys.version })
      .from(apiKeys)
      .where(and(eq(apiKeys.userId, userId), isNull(apiKeys.revokedAt))),
    releaseClaim(db, userId, now),
    db.delete(users).where(eq(users.id, userId)),
  ]);
  logEvent(io, userId, "account_deleted");
  const erased = keys.map(({ hash, version }) => ({ id: null, hash, version: version + 1 }));
  await publishTombstones(io, erased);
  await eraseLedger(ledgers, queues.usage, userId);
  if (config.mail?.driver === "mailbox") await forgetMails(edge, userId);
}
