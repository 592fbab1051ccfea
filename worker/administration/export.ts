import { and, desc, eq, gt, sql } from "drizzle-orm";
import type { AccountExport } from "../../contract/export.ts";
import { apiKeys, emailTokens } from "../../schema.ts";
import type { Io } from "../io.ts";
import { keyView } from "../keys/api-keys.ts";
import { activityOf, readLedger } from "../ledger/reports.ts";
import type { CountedRow } from "../ledger/usage.ts";
import { countAccountCall } from "../limits/attempts.ts";
import { LIMITS } from "../limits/table.ts";
import { DAY_MS, isoOrNull, utcDay } from "../platform/time.ts";
import { readSubscription } from "../subscriptions/subscription.ts";
import { accountView } from "../accounts/accounts.ts";
import type { AccountRow } from "../accounts/accounts.ts";
import { listSessions } from "../accounts/end-sessions.ts";
import { exportPasskeys } from "../accounts/second-factor/passkeys.ts";
import { describeFactors } from "../accounts/second-factor/second-step.ts";
import { listEvents } from "../accounts/security-events.ts";
import type { Session } from "../accounts/sessions.ts";

/** Links are listed this long, less than any is stored. */
const LISTED_LINKS_DAYS = 7;

/** Serializes a document: its members, then a last one whose rows arrive page by page. One row per line. */
async function* written(
  head: Omit<AccountExport, "usage">,
  first: readonly CountedRow[],
  readAfter: (row: CountedRow) => Promise<readonly CountedRow[]>,
): AsyncGenerator<string, undefined> {
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "usage": [`;
  let separator = "\n    ";
  for (let rows = first; rows.length > 0; rows = await readAfter(rows.at(-1)!)) {
    yield separator + rows.map((row) => JSON.stringify(row)).join(",\n    ");
    separator = ",\n    ";
  }
  yield `\n  ]\n}\n`;
}

/**
 * The account's emailed links of the last week. A row's end would tell whether a requested address is free: only a link
 * that is really sent has its time begin then.
 */
async function listEmailLinks({ db, now }: Io, userId: string): Promise<AccountExport["email_links"]> {
  const rows = await db
    .select()
    .from(emailTokens)
    .where(and(eq(emailTokens.userId, userId), gt(emailTokens.createdAt, now - LISTED_LINKS_DAYS * DAY_MS)))
    .orderBy(desc(emailTokens.createdAt), desc(sql`rowid`));
  return rows.map(({ purpose, email, createdAt, usedAt }) => ({
    purpose,
    email,
    created_at: new Date(createdAt).toISOString(),
    used_at: isoOrNull(usedAt),
  }));
}

/**
 * Everything stored about an account except hashes of its password and keys, and counters that expire within hours: an
 * `AccountExport` streamed as chunks of JSON. The stream fails when the account's ledger stops responding.
 * @throws ApiError 429 after too many, 503 when the account's ledger does not respond
 */
export async function exportAccount(io: Io, session: Session): Promise<AsyncGenerator<string, undefined>> {
  await countAccountCall(io, LIMITS.exportPerAccount, session.account.id);
  return exportStored(io, session.account, session);
}

/** `exportAccount` for an operator, whose commands reach no ledger: without usage and activity. */
export async function exportStored(
  io: Io,
  account: AccountRow,
  session: Session | null = null,
): Promise<AsyncGenerator<string, undefined>> {
  const { db, now } = io;
  const readAfter = async (row: CountedRow | null) =>
    (await readLedger(io, account, (ledger) => ledger.rowsAfter(row))) ?? [];
  const [view, subscription, keys, used, usage, activity, sessions, factors, passkeys, events, links] =
    await Promise.all([
      accountView(io, account),
      readSubscription(io, account.id),
      db
        .select()
        .from(apiKeys)
        .where(eq(apiKeys.userId, account.id))
        .orderBy(desc(apiKeys.createdAt), desc(sql`rowid`)),
      readLedger(io, account, (ledger) => ledger.keys(utcDay(now).slice(0, 7), [])),
      readAfter(null),
      activityOf(io, account, { limit: Infinity }),
      listSessions(io, account.id, session),
      describeFactors(io, account.id),
      exportPasskeys(io, account.id),
      listEvents(io, account.id),
      listEmailLinks(io, account.id),
    ]);
  const { calls, rate_limited } = activity;
  const head = {
    exported_at: new Date(now).toISOString(),
    account: {
      ...view,
      verified_at: isoOrNull(account.verifiedAt),
      suspended_at: isoOrNull(account.suspendedAt),
    },
    email_links: links,
    subscription,
    api_keys: keys.map((key) => ({
      ...keyView(key),
      last_used_at: isoOrNull(used?.lastUsed[key.id] ?? null),
      limits_changed_at: isoOrNull(key.limitsChangedAt),
      rolled_at: isoOrNull(key.rolledAt),
      root_id: key.rootId,
      revoked_at: isoOrNull(key.revokedAt),
    })),
    sessions,
    second_factor: { ...factors, passkeys },
    security_events: events,
    activity: { calls, rate_limited },
  };
  return written(head, usage, readAfter);
}
