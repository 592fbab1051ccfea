import { sql } from "drizzle-orm";
import { MAX_ACTIVE_KEYS } from "../../contract/limits.ts";
import type { KeyMode } from "../../contract/limits.ts";
import { apiKeys } from "../../schema.ts";
import type { Database } from "../db.ts";
import { ApiError } from "../api-error.ts";
import { newId } from "../random.ts";
import { generateKey, hashKey, keyHint } from "./key-format.ts";

export interface NewApiKey {
  /** The key itself. This is the only time it exists outside its owner's hands. */
  readonly apiKey: string;
  readonly id: string;
  readonly mode: KeyMode;
  readonly name: string;
  readonly hint: string;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number;
}

/**
 * Generates a key for an account and stores its hash. Counting the active keys and adding one is a single statement, so that
 * requests at the same time cannot pass the limit together.
 * @throws ApiError 409 KEY_LIMIT_REACHED.
 */
export async function createApiKey(input: {
  readonly db: Database;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  readonly userId: string;
  readonly mode: KeyMode;
  readonly name: string;
}): Promise<NewApiKey> {
  const { db, now, userId, mode, name } = input;
  const apiKey = generateKey(mode);
  const key: NewApiKey = { apiKey, id: newId("key"), mode, name, hint: keyHint(apiKey), createdAt: now };
  const stored = await db.all<{ id: string }>(sql`
    insert into ${apiKeys} (id, user_id, mode, name, hash, hint, version, created_at, updated_at)
    select ${key.id}, ${userId}, ${mode}, ${name}, ${hashKey(apiKey)}, ${key.hint}, 1, ${now}, ${now}
    where (
      select count(*) from ${apiKeys}
      where ${apiKeys.userId} = ${userId} and ${apiKeys.mode} = ${mode} and ${apiKeys.revokedAt} is null
    ) < ${MAX_ACTIVE_KEYS}
    returning id`);
  if (stored.length === 0) throw new ApiError("KEY_LIMIT_REACHED");
  return key;
}
