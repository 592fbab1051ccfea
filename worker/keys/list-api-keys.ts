import { and, desc, gt, isNull, or } from "drizzle-orm";
import type { ListedKey } from "../../contract/keys.ts";
import { apiKeys } from "../../schema.ts";
import { knownDevices } from "../accounts/security-events.ts";
import { readLedger } from "../ledger/reports.ts";
import type { MeteredAccount, UsageSource } from "../ledger/reports.ts";
import { DAY_MS, isoOrNull, utcDay } from "../platform/time.ts";
import { keyView, ownKeys } from "./api-keys.ts";
import type { ApiKeyRow } from "./api-keys.ts";

/** How long an expired key stays listed, so its owner sees why it is rejected. */
const LISTED_MS = 30 * DAY_MS;

/** Usage per key. Owners need the key list most when something is wrong, so it doesn't fail with the ledger. */
async function useOf(io: UsageSource, account: MeteredAccount, rows: readonly ApiKeyRow[]) {
  const capped = rows.filter(({ monthlyCap }) => monthlyCap !== null);
  try {
    const keys = capped.map(({ id, rootId }) => ({ id, root: rootId ?? id }));
    const roots = keys.map(({ root }) => root);
    const read = await readLedger(io, account, (ledger) => ledger.keys(utcDay(io.now).slice(0, 7), roots));
    return {
      lastUsed: read?.lastUsed ?? {},
      used: new Map(keys.map(({ id, root }) => [id, read?.used[root] ?? 0])),
    };
  } catch {
    return { lastUsed: {}, used: new Map<string, number>() };
  }
}

function stateOf({ expiresAt, rolledAt }: ApiKeyRow, now: number): ListedKey["state"] {
  if (expiresAt !== null && expiresAt <= now) return "expired";
  return rolledAt === null ? "active" : "grace";
}

/** Which keys were made in the last day from a device that was not known before. */
async function fromNewDevices(
  io: UsageSource,
  userId: string,
  rows: readonly ApiKeyRow[],
): Promise<ReadonlySet<string>> {
  const dayAgo = io.now - DAY_MS;
  const recent = rows.filter(({ createdAt, createdFrom }) => createdAt > dayAgo && createdFrom !== null);
  if (recent.length === 0) return new Set();
  const known = await knownDevices(io, userId, dayAgo);
  return new Set(recent.filter(({ createdFrom }) => !known.includes(createdFrom!)).map(({ id }) => id));
}

/** An account's keys that are not revoked, newest first, including those that expired within 30 days. */
export async function listApiKeys(io: UsageSource, account: MeteredAccount): Promise<ListedKey[]> {
  const rows = await io.db
    .select()
    .from(apiKeys)
    .where(and(ownKeys(account.id), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, io.now - LISTED_MS))))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id));
  const [{ lastUsed, used }, newDevices] = await Promise.all([
    useOf(io, account, rows),
    fromNewDevices(io, account.id, rows),
  ]);
  return rows.map((row) => ({
    ...keyView(row),
    last_used_at: isoOrNull(lastUsed[row.id] ?? null),
    state: stateOf(row, io.now),
    from_new_device: newDevices.has(row.id),
    limits_changed_at: isoOrNull(row.limitsChangedAt),
    used_this_month: used.get(row.id) ?? null,
  }));
}
