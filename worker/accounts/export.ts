import { desc, eq } from "drizzle-orm";
import type { AccountExport } from "../../contract/export.ts";
import { apiKeys } from "../../schema.ts";
import type { Io } from "../io.ts";
import { keyView } from "../keys/api-keys.ts";
import { activityOf, readLedger } from "../ledger/reports.ts";
import { countAccountCall } from "../limits/attempts.ts";
import { ATTEMPT_RULES } from "../limits/rules.ts";
import { isoOrNull } from "../platform/time.ts";
import { readSubscription } from "../subscriptions/subscription.ts";
import { accountView } from "./accounts.ts";
import { listSessions } from "./end-sessions.ts";
import type { Session } from "./sessions.ts";

/**
 * Everything that is kept of an account, but for hashes of its password and keys, and counters that expire within hours.
 * @throws ApiError 429 after too many, 503 when the account's ledger does not respond
 */
export async function exportAccount(io: Io, session: Session): Promise<AccountExport> {
  const { account } = session;
  await countAccountCall(io, ATTEMPT_RULES.exportPerAccount, account.id);
  const { db, now } = io;
  const [subscription, keys, usage, activity, sessions] = await Promise.all([
    readSubscription(io, account.id),
    db.select().from(apiKeys).where(eq(apiKeys.userId, account.id)).orderBy(desc(apiKeys.createdAt), desc(apiKeys.id)),
    readLedger(io, account, (ledger) => ledger.everything()),
    activityOf(io, account, { limit: Infinity }),
    listSessions(io, session),
  ]);
  const { calls, rate_limited } = activity;
  return {
    exported_at: new Date(now).toISOString(),
    account: accountView(account),
    subscription,
    api_keys: keys.map((key) => ({ ...keyView(key), revoked_at: isoOrNull(key.revokedAt) })),
    sessions,
    usage: usage ?? [],
    activity: { calls, rate_limited },
  };
}
