import { and, desc, eq, gt, isNull, sql } from "drizzle-orm";
import type { CreatedKey, ListedKey } from "../../contract/keys.ts";
import { MAX_ACTIVE_KEYS, MAX_NEW_KEYS_PER_HOUR } from "../../contract/limits.ts";
import type { KeyMode } from "../../contract/limits.ts";
import { apiKeys, users } from "../../schema.ts";
import { requireAccount } from "../accounts/accounts.ts";
import { recordEvent } from "../accounts/security-events.ts";
import type { Io } from "../io.ts";
import { readLedger } from "../ledger/reports.ts";
import type { MeteredAccount, Reading } from "../ledger/reports.ts";
import type { Database } from "../platform/db.ts";
import { ApiError } from "../platform/errors.ts";
import { newId } from "../platform/random.ts";
import { isoOrNull } from "../platform/time.ts";
import { publishKeys, publishTombstones } from "./cache/publish.ts";
import { changedAt } from "./key-changes.ts";
import { generateKey, hashKey, keyHint } from "./key-format.ts";

const HOUR_MS = 3_600_000;

interface NewKey {
  readonly userId: string;
  readonly mode: KeyMode;
  readonly name: string;
}

/**
 * Generates a key for an account, stores its hash, publishes it and emails the owner about a live one.
 * @throws ApiError as `insertApiKey`
 */
export async function createApiKey(io: Io, { userId, mode, name }: NewKey): Promise<CreatedKey> {
  const { apiKey, id, hint, createdAt } = await insertApiKey({ db: io.db, now: io.now, userId, mode, name });
  recordEvent(io, userId, "key_created", { id, name: `${name} (${mode})` });
  io.waitUntil(publishKeys(io, { keyIds: [id] }));
  if (mode === "live") {
    io.waitUntil(io.mail.notify({ user_id: userId, purpose: "live_key_created", key_id: id }));
  }
  return { api_key: apiKey, id, mode, name, hint, created_at: new Date(createdAt).toISOString() };
}

/**
 * Stores a new key and nothing else. Counting the active keys and those of the last hour and adding one is a single statement, so
 * that requests at the same time cannot pass a limit together.
 * @returns the key itself, which exists only here and in its owner's hands. Times are milliseconds since the Unix epoch.
 * @throws ApiError 409 KEY_LIMIT_REACHED, 429 RATE_LIMITED with Retry-After, 401 SESSION_EXPIRED when the account is gone by now
 */
export async function insertApiKey({
  db,
  now,
  userId,
  mode,
  name,
}: NewKey & { readonly db: Database; readonly now: number }) {
  const apiKey = generateKey(mode);
  const key = { apiKey, id: newId("key"), mode, name, hint: keyHint(apiKey), createdAt: now };
  const stored = await db.all<{ id: string }>(sql`
    insert into ${apiKeys} (id, user_id, mode, name, hash, hint, version, created_at, updated_at)
    select ${key.id}, ${users.id}, ${mode}, ${name}, ${hashKey(apiKey)}, ${key.hint}, 1, ${now}, ${now}
    from ${users} where ${users.id} = ${userId} and (
      select count(*) from ${apiKeys}
      where ${apiKeys.userId} = ${userId} and ${apiKeys.mode} = ${mode} and ${apiKeys.revokedAt} is null
    ) < ${MAX_ACTIVE_KEYS} and (
      select count(*) from ${apiKeys} where ${apiKeys.userId} = ${userId} and ${apiKeys.createdAt} > ${now - HOUR_MS}
    ) < ${MAX_NEW_KEYS_PER_HOUR}
    returning id`);
  if (stored.length === 0) throw await refusalOf(db, userId, now);
  return key;
}

/** Why an account got no new key. */
async function refusalOf(db: Database, userId: string, now: number): Promise<ApiError> {
  await requireAccount(db, userId);
  const [oldest] = await db
    .select({ createdAt: apiKeys.createdAt })
    .from(apiKeys)
    .where(and(eq(apiKeys.userId, userId), gt(apiKeys.createdAt, now - HOUR_MS)))
    .orderBy(desc(apiKeys.createdAt))
    .limit(1)
    .offset(MAX_NEW_KEYS_PER_HOUR - 1);
  if (oldest === undefined) return new ApiError("KEY_LIMIT_REACHED");
  const seconds = Math.max(1, Math.ceil((oldest.createdAt + HOUR_MS - now) / 1000));
  return new ApiError("RATE_LIMITED", {
    message: `At most ${MAX_NEW_KEYS_PER_HOUR} new API keys an hour. Try again in ${seconds} seconds.`,
    headers: { "Retry-After": String(seconds) },
  });
}

/** When each key was used last. A list of keys is needed most when something is wrong: it does not fail with the ledger. */
async function lastUsedOf(io: Reading, account: MeteredAccount): Promise<Readonly<Record<string, number>>> {
  try {
    return (await readLedger(io, account, (ledger) => ledger.lastUsed())) ?? {};
  } catch {
    return {};
  }
}

/** An account's active keys, newest first. */
export async function listApiKeys(io: Reading, account: MeteredAccount): Promise<ListedKey[]> {
  const [rows, lastUsed] = await Promise.all([
    io.db
      .select()
      .from(apiKeys)
      .where(and(eq(apiKeys.userId, account.id), isNull(apiKeys.revokedAt)))
      .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id)),
    lastUsedOf(io, account),
  ]);
  return rows.map(({ id, mode, name, hint, createdAt }) => ({
    id,
    mode,
    name,
    hint,
    created_at: new Date(createdAt).toISOString(),
    last_used_at: isoOrNull(lastUsed[id] ?? null),
  }));
}

/**
 * Revokes an account's active keys: all, those of a mode, or the one with this id. This isolate refuses them at once, others as soon
 * as KV shows the tombstones, which are written behind the response.
 * @returns how many stopped working: none for an id that does not exist, is revoked already or is another account's, which look the
 * same from here
 */
export async function revokeApiKeys(
  io: Io,
  which: { readonly userId: string; readonly mode?: KeyMode | undefined; readonly id?: string },
): Promise<number> {
  const { userId, mode, id } = which;
  const revoked = await io.db
    .update(apiKeys)
    .set({ revokedAt: io.now, ...changedAt(io.now) })
    .where(
      and(
        eq(apiKeys.userId, userId),
        isNull(apiKeys.revokedAt),
        mode === undefined ? undefined : eq(apiKeys.mode, mode),
        id === undefined ? undefined : eq(apiKeys.id, id),
      ),
    )
    .returning({
      id: apiKeys.id,
      name: apiKeys.name,
      mode: apiKeys.mode,
      hash: apiKeys.hash,
      version: apiKeys.version,
    });
  for (const key of revoked) recordEvent(io, userId, "key_revoked", { id: key.id, name: `${key.name} (${key.mode})` });
  io.waitUntil(publishTombstones(io, revoked));
  return revoked.length;
}
