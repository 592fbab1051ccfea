import { eq } from "drizzle-orm";
import { users } from "../../schema.ts";
import type { Database } from "../db.ts";

/** Erases an account; its keys, subscription, tokens and usage go with it by the schema's cascades. */
export async function deleteAccount(db: Database, userId: string): Promise<void> {
  await db.delete(users).where(eq(users.id, userId));
}
