import { eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { apiKeys, erasedKeys, users } from "../../schema.ts";
import type { Io } from "../io.ts";
import { currentKeysOf } from "../key-cache/find-keys.ts";
import { publishTombstones } from "../key-cache/publish.ts";
import { callLedger } from "../ledger/namespace.ts";
import { forgetMails } from "../mail/mailbox.ts";
import { insertFrom } from "../platform/db.ts";
import { failureText, logLine } from "../platform/log.ts";
import { claiming, releaseClaim } from "../subscriptions/trial-claims.ts";
import type { AccountRow } from "../accounts/accounts.ts";
import { change } from "../accounts/change.ts";
import { logEvent } from "../accounts/security-events.ts";
import type { Session } from "../accounts/sessions.ts";

/** How long to wait for the ledger, in milliseconds. */
const ERASE_MS = 2_000;

/**
 * Erases usage data, now or through the queue. If both fail, the ledger notices within a day that its account is gone.
 */
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
 * The statements that erase an account with everything in D1, for a batch. `rejected` returns the keys to reject: their
 * hashes move to another table in the same step, so none can be created in between, and stay there until KV rejects
 * them.
 * @param userId the account's id, or a query for it
 */
export function erasing({ db, now }: Pick<Io, "db" | "now">, userId: string | SQL) {
  return {
    rejected: insertFrom(
      db,
      erasedKeys,
      { hash: apiKeys.hash, at: now },
      sql`from ${apiKeys} where ${currentKeysOf(userId)}`,
    )
      .onConflictDoNothing()
      .returning({ hash: erasedKeys.hash }),
    released: releaseClaim(db, userId, now),
    erased: db.delete(users).where(eq(users.id, userId)),
  };
}

/**
 * Erases an account. The schema cascades to its keys, subscription, and tokens; its ledger erases the usage. A used
 * trial is remembered for a year.
 * @param session null for an operator
 * @throws ApiError as `change`
 */
export async function deleteAccount(
  io: Io,
  session: Session | null,
  account: Pick<AccountRow, "id" | "email">,
): Promise<void> {
  const { id: userId } = account;
  const { db, now, config, edge, ledgers, queues } = io;
  const claim = claiming({ db, now, secret: config.trialSecret }, [account]);
  const { rejected } = await change(io, session, { claim, ...erasing(io, userId) });
  logEvent(io, userId, "account_deleted");
  io.waitUntil(publishTombstones(io, rejected));
  await eraseLedger(ledgers, queues.usage, userId);
  if (config.mail?.driver === "mailbox") await forgetMails(edge, userId);
}
