import { and, desc, eq, gt, isNull, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { CreatedKey, Key } from "../../contract/keys.ts";
import { formatCount } from "../../contract/format.ts";
import { MAX_ACTIVE_KEYS, MAX_NEW_KEYS_PER_HOUR } from "../../contract/limits.ts";
import type { KeyMode } from "../../contract/limits.ts";
import { apiKeys, users } from "../../schema.ts";
import { change } from "../accounts/change.ts";
import { requireRecentPassword } from "../accounts/confirm-password.ts";
import { deviceName } from "../accounts/device.ts";
import { afterRevoking, revoking } from "../accounts/revoke-keys.ts";
import { recordEvent } from "../accounts/security-events.ts";
import type { Session } from "../accounts/sessions.ts";
import type { Io } from "../io.ts";
import { insertFrom } from "../platform/db.ts";
import type { Database } from "../platform/db.ts";
import { ApiError, tryAgainIn, validationFailed } from "../platform/errors.ts";
import { newId } from "../platform/random.ts";
import { DAY_MS, HOUR_MS, isoOrNull } from "../platform/time.ts";
import { publishKeys, publishTombstones } from "../key-cache/publish.ts";
import { liveKeyCreatedEmail } from "./emails/live-key-created.ts";
import { changedAt } from "../key-cache/key-changes.ts";
import { generateKey, hashKey, keyHint } from "./key-format.ts";
import { sendNotice } from "../mail/queue.ts";

const MAX_LIFETIME_MS = 5 * 366 * DAY_MS;

interface NewKey {
  readonly mode: KeyMode;
  readonly name: string;
  /** Milliseconds since the Unix epoch; never by default. */
  readonly expiresAt?: number | null;
  readonly monthlyCap?: number | null;
  /** As browsers send them; empty by default. */
  readonly allowedOrigins?: string[];
}

export type ApiKeyRow = typeof apiKeys.$inferSelect;
type ShownRow = Pick<
  ApiKeyRow,
  "id" | "mode" | "name" | "hint" | "createdAt" | "createdFrom" | "expiresAt" | "monthlyCap" | "allowedOrigins"
>;

/** A key as returned to its owner. */
export function keyView(row: ShownRow): Key {
  const { id, mode, name, hint, createdAt, createdFrom, expiresAt, monthlyCap, allowedOrigins } = row;
  return {
    id,
    mode,
    name,
    hint,
    created_at: new Date(createdAt).toISOString(),
    created_from: createdFrom,
    expires_at: isoOrNull(expiresAt),
    monthly_cap: monthlyCap,
    allowed_origins: allowedOrigins,
  };
}

interface Limits {
  readonly monthlyCap: number | null;
  readonly allowedOrigins: readonly string[];
}

/** @throws ApiError 400 for a cap or origins on a test key, and for origins without a cap */
function checkLimits(mode: KeyMode, { monthlyCap, allowedOrigins }: Limits): void {
  const hasOrigins = allowedOrigins.length > 0;
  if (mode === "test") {
    if (monthlyCap !== null) throw validationFailed({ monthly_cap: "Only live keys can have a cap" });
    if (hasOrigins)
      throw validationFailed({ allowed_origins: "Test keys work from any page, without allowed origins" });
  }
  // Everyone who opens the page has the key: the cap is what using it up can cost.
  if (hasOrigins && monthlyCap === null) throw validationFailed({ monthly_cap: "Required with allowed origins" });
}

/**
 * A live key outlives the session that makes it, rolls it, raises its cap, or adds an origin, so these require a recent password.
 * Whatever takes a key's power away doesn't, nor do test keys.
 * @throws ApiError 403 PASSWORD_REQUIRED
 */
function requirePasswordFor(mode: KeyMode, io: Io, session: Session): void {
  if (mode === "live") requireRecentPassword(io, session);
}

/** The request's device, in words; null for an operator's command. */
function requestedFrom(io: Io): string | null {
  const device = io.device();
  return device && deviceName(device);
}

/**
 * Generates a key for a session's account, stores its hash, publishes it, and emails the owner about a live one.
 * @throws ApiError as `insertApiKey`; 400 for an expiry in the past, or as `checkLimits`; 403 PASSWORD_REQUIRED
 */
export async function createApiKey(io: Io, session: Session, key: NewKey): Promise<CreatedKey> {
  const { expiresAt = null, monthlyCap = null, allowedOrigins = [] } = key;
  const { userId } = session;
  checkLimits(key.mode, { monthlyCap, allowedOrigins });
  if (expiresAt !== null && !(expiresAt > io.now && expiresAt <= io.now + MAX_LIFETIME_MS)) {
    throw validationFailed({ expires_at: "Must be a time within the next five years" });
  }
  requirePasswordFor(key.mode, io, session);
  const { db, now } = io;
  const { apiKey, ...row } = await insertApiKey({ db, now, session, userId, createdFrom: requestedFrom(io), ...key });
  return announce(io, userId, apiKey, row);
}

/** Publishes a new key, and emails the owner about a live one. */
function announce(io: Io, userId: string, apiKey: string, row: ShownRow): CreatedKey {
  recordEvent(io, userId, "key_created", { id: row.id, name: `${row.name} (${row.mode})` });
  io.waitUntil(publishKeys(io, { keyId: row.id }));
  if (row.mode === "live") {
    io.waitUntil(sendNotice(io, liveKeyCreatedEmail, { user_id: userId, about: row.id }));
  }
  return { api_key: apiKey, ...keyView(row) };
}

/** How many keys an account created in the past hour. */
function createdLastHour(userId: string, now: number): SQL {
  return sql`(select count(*) from ${apiKeys} where ${apiKeys.userId} = ${userId} and ${apiKeys.createdAt} > ${now - HOUR_MS})`;
}

/**
 * Stores a new key, and nothing else. A single statement counts the active and recent keys and adds one, so concurrent
 * requests can't exceed a limit together.
 * @returns the key, which we never store. Times are milliseconds since the Unix epoch.
 * @throws ApiError as `change`; 409 KEY_LIMIT_REACHED, 429 RATE_LIMITED with Retry-After
 */
export async function insertApiKey({
  db,
  now,
  session = null,
  userId,
  mode,
  name,
  expiresAt = null,
  monthlyCap = null,
  allowedOrigins = [],
  createdFrom = null,
}: NewKey & {
  readonly db: Database;
  readonly now: number;
  /** Null, the default, for a script. */
  readonly session?: Session | null;
  readonly userId: string;
  readonly createdFrom?: string | null;
}) {
  const apiKey = generateKey(mode);
  const hint = keyHint(apiKey);
  const limits = { expiresAt, monthlyCap, allowedOrigins };
  const row = { id: newId("key"), mode, name, hint, createdAt: now, createdFrom, ...limits };
  const inserting = insertFrom(
    db,
    apiKeys,
    { ...row, userId: users.id, hash: hashKey(apiKey), updatedAt: now },
    sql`from ${users} where ${users.id} = ${userId} and (
      select count(*) from ${apiKeys}
      where ${apiKeys.userId} = ${userId} and ${apiKeys.mode} = ${mode} and ${apiKeys.revokedAt} is null
        and ${apiKeys.rolledAt} is null and (${apiKeys.expiresAt} is null or ${apiKeys.expiresAt} > ${now})
    ) < ${MAX_ACTIVE_KEYS} and ${createdLastHour(userId, now)} < ${MAX_NEW_KEYS_PER_HOUR}`,
  ).returning({ id: apiKeys.id });
  const [stored] = await change({ db }, session, [inserting]);
  if (stored.length === 0) throw await rejectionOf(db, userId, now);
  return { apiKey, ...row };
}

/** An account's keys that are not revoked, or the one with this id. */
export function ownKeys(userId: string, id?: string): SQL | undefined {
  return and(eq(apiKeys.userId, userId), isNull(apiKeys.revokedAt), id === undefined ? undefined : eq(apiKeys.id, id));
}

const KEY_NOT_FOUND = { message: "There's no active key with this ID." };

/**
 * Creates a key that replaces another, with the same name, cap, cap usage, origins, and lifetime. The old one is revoked
 * immediately or works until its grace period ends. Both happen in one step, so one of several concurrent calls
 * succeeds.
 * @throws ApiError as `change`; 404; 409 KEY_NOT_ROLLABLE for one that has expired or was rolled; 429 and 403 as for a new key
 */
export async function rollApiKey(
  io: Io,
  session: Session,
  { id, graceHours }: { readonly id: string; readonly graceHours: number },
): Promise<CreatedKey> {
  const { db, now } = io;
  const { userId } = session;
  const old = await db.select().from(apiKeys).where(ownKeys(userId, id)).get();
  if (old === undefined) throw new ApiError("NOT_FOUND", KEY_NOT_FOUND);
  const { mode, name, monthlyCap, allowedOrigins } = old;
  requirePasswordFor(mode, io, session);
  const apiKey = generateKey(mode);
  const expiresAt = old.expiresAt === null ? null : now + (old.expiresAt - old.createdAt);
  const row = {
    id: newId("key"),
    mode,
    name,
    hint: keyHint(apiKey),
    createdAt: now,
    createdFrom: requestedFrom(io),
    expiresAt,
    monthlyCap,
    allowedOrigins,
  };
  const ends = sql`min(coalesce(${apiKeys.expiresAt}, ${Number.MAX_SAFE_INTEGER}), ${now + graceHours * HOUR_MS})`;
  const [made, ended] = await change(io, session, [
    insertFrom(
      db,
      apiKeys,
      {
        ...row,
        userId,
        // As they are now: a concurrent call may have changed them.
        name: apiKeys.name,
        monthlyCap: apiKeys.monthlyCap,
        allowedOrigins: apiKeys.allowedOrigins,
        hash: hashKey(apiKey),
        updatedAt: now,
        rootId: sql`coalesce(${apiKeys.rootId}, ${apiKeys.id})`,
      },
      sql`from ${apiKeys} where ${and(
        ownKeys(userId, id),
        isNull(apiKeys.rolledAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
        sql`${createdLastHour(userId, now)} < ${MAX_NEW_KEYS_PER_HOUR}`,
      )}`,
    ).returning({ id: apiKeys.id }),
    db
      .update(apiKeys)
      .set({ rolledAt: now, ...(graceHours === 0 ? { revokedAt: now } : { expiresAt: ends }), ...changedAt(now) })
      .where(and(eq(apiKeys.id, id), sql`exists (select 1 from ${apiKeys} as made where made.id = ${row.id})`))
      .returning({ hash: apiKeys.hash }),
  ]);
  if (made.length === 0) {
    const isOver = old.rolledAt !== null || (old.expiresAt !== null && old.expiresAt <= now);
    const rejection = isOver ? new ApiError("KEY_NOT_ROLLABLE") : await rejectionOf(db, userId, now);
    // If this call was first yet hit neither limit, a concurrent call got in between.
    throw rejection.code === "KEY_LIMIT_REACHED" ? new ApiError("KEY_NOT_ROLLABLE") : rejection;
  }
  if (graceHours === 0) recordEvent(io, userId, "key_revoked", { id, name: `${name} (${mode})` });
  io.waitUntil(graceHours === 0 ? publishTombstones(io, ended) : publishKeys(io, { keyId: id }));
  return announce(io, userId, apiKey, row);
}

interface KeyChanges {
  readonly id: string;
  readonly name?: string | undefined;
  readonly monthlyCap?: number | null | undefined;
  readonly allowedOrigins?: string[] | undefined;
}

/** What is different about a key's limits, in words: "cap 500 → none". */
function limitChanges(before: Limits, next: Limits): string[] {
  const cap = ({ monthlyCap }: Limits) => (monthlyCap === null ? "none" : formatCount(monthlyCap));
  const origins = ({ allowedOrigins }: Limits) => allowedOrigins.join(", ") || "none";
  return [
    ...(cap(before) === cap(next) ? [] : [`cap ${cap(before)} → ${cap(next)}`]),
    ...(origins(before) === origins(next) ? [] : [`origins ${origins(before)} → ${origins(next)}`]),
  ];
}

/** Whether limits allow more than before: a higher cap or none, or another origin. */
function allowsMore(next: Limits, before: Limits): boolean {
  const { monthlyCap } = next;
  const isHigher = before.monthlyCap !== null && (monthlyCap === null || monthlyCap > before.monthlyCap);
  return isHigher || next.allowedOrigins.some((origin) => !before.allowedOrigins.includes(origin));
}

/**
 * Changes a key's name, cap, or allowed origins, and publishes changed limits. A key that was in a web page is known to
 * others, so it never turns into a key for servers.
 * @throws ApiError as `change`; 404; 400 when there is nothing to change, for no origins any more, or as `checkLimits`; 403
 * PASSWORD_REQUIRED for a higher cap or another origin
 */
export async function changeApiKey(io: Io, session: Session, changes: KeyChanges): Promise<Key> {
  const { id, name } = changes;
  const isOfLimits = changes.monthlyCap !== undefined || changes.allowedOrigins !== undefined;
  if (name === undefined && !isOfLimits) {
    throw validationFailed({ body: "Must have name, monthly_cap, or allowed_origins" });
  }
  const own = ownKeys(session.userId, id);
  const key = await io.db.select().from(apiKeys).where(own).get();
  if (key === undefined) throw new ApiError("NOT_FOUND", KEY_NOT_FOUND);
  const { monthlyCap = key.monthlyCap, allowedOrigins = key.allowedOrigins } = changes;
  if (key.allowedOrigins.length > 0 && allowedOrigins.length === 0) {
    const rule = "Must keep at least one: anyone may have copied the key. For servers, generate another key";
    throw validationFailed({ allowed_origins: rule });
  }
  const limits = { monthlyCap, allowedOrigins };
  checkLimits(key.mode, limits);
  if (allowsMore(limits, key)) requirePasswordFor(key.mode, io, session);
  const isUnchanged = and(
    sql`${apiKeys.monthlyCap} is ${key.monthlyCap}`,
    eq(apiKeys.allowedOrigins, key.allowedOrigins),
  );
  const changesOfLimits = limitChanges(key, limits);
  const changing = io.db
    .update(apiKeys)
    .set({
      ...(name !== undefined && { name }),
      ...(isOfLimits && { ...limits, ...changedAt(io.now) }),
      ...(changesOfLimits.length > 0 && { limitsChangedAt: io.now }),
    })
    .where(and(own, isOfLimits ? isUnchanged : undefined))
    .returning();
  const [[changed]] = await change(io, session, [changing]);
  // A concurrent change came first: what was a lower cap may be a higher one now.
  if (changed === undefined) return changeApiKey(io, session, changes);
  if (changesOfLimits.length > 0) {
    const about = `${key.name} (${key.mode}): ${changesOfLimits.join("; ")}`;
    recordEvent(io, session.userId, "key_limits_changed", { id, name: about });
  }
  if (isOfLimits) io.waitUntil(publishKeys(io, { keyId: id }));
  return keyView(changed);
}

/** Why an account got no new key. */
async function rejectionOf(db: Database, userId: string, now: number): Promise<ApiError> {
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
    message: `You can create up to ${MAX_NEW_KEYS_PER_HOUR} API keys per hour. ${tryAgainIn(seconds)}`,
    headers: { "Retry-After": String(seconds) },
  });
}

/**
 * Revokes an account's active keys: all, those of a mode, or the one with this id.
 * @param session null for an operator
 * @returns how many stopped working: 0 for an id that doesn't exist, is already revoked, or belongs to another account,
 * without telling these apart
 * @throws ApiError as `change`
 */
export async function revokeApiKeys(
  io: Io,
  session: Session | null,
  which: { readonly userId: string; readonly mode?: KeyMode | undefined; readonly id?: string },
): Promise<number> {
  const { userId, mode, id } = which;
  const isMode = mode === undefined ? undefined : eq(apiKeys.mode, mode);
  const isMeant = id === undefined ? isMode : and(eq(apiKeys.id, id), isMode);
  const [revoked] = await change(io, session, [revoking(io, userId, isMeant)]);
  afterRevoking(io, userId, revoked);
  return revoked.length;
}
