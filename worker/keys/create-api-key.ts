import type { KeyMode } from "../../contract/limits.ts";
import { apiKeys } from "../../schema.ts";
import type { Database } from "../db.ts";
import { newId } from "../random.ts";
import { generateKey, hashKey, keyHint } from "./key-format.ts";

export interface NewApiKey {
  /** The key itself. This is the only time it exists outside its owner's hands. */
  readonly apiKey: string;
  readonly id: string;
}

/** Generates a key for an account and stores its hash. */
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
  const id = newId("key");
  const row = { id, userId, mode, name, hash: hashKey(apiKey), hint: keyHint(apiKey), createdAt: now, updatedAt: now };
  await db.insert(apiKeys).values(row);
  return { apiKey, id };
}
