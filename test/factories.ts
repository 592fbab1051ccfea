import type { KeyMode } from "../contract/limits.ts";
import { apiKeys, subscriptions, users } from "../schema.ts";
import type { Database } from "../worker/db.ts";
import { createApiKey } from "../worker/keys/create-api-key.ts";
import { newId } from "../worker/random.ts";
import { eq } from "drizzle-orm";

const DAY = 86_400_000;

interface AccountOptions {
  /** "none" for an account that never had one. */
  readonly subscription?: "active" | "expired" | "ended" | "none";
}

/** An account of its own, with a verified address and, unless told otherwise, an active trial. Returns its id. */
export async function createAccount(db: Database, { subscription = "active" }: AccountOptions = {}): Promise<string> {
  const now = Date.now();
  const id = newId("usr");
  const email = `${id.toLowerCase()}@example.com`;
  await db.insert(users).values({ id, email, name: "Ada", passwordHash: "unused", verifiedAt: now, createdAt: now });
  if (subscription !== "none") {
    await db.insert(subscriptions).values({
      userId: id,
      plan: "trial",
      status: subscription === "ended" ? "ended" : "active",
      startedAt: now - 20 * DAY,
      expiresAt: subscription === "expired" ? now - 1000 : now + DAY,
    });
  }
  return id;
}

/** A key of a new account. */
export async function createKey(db: Database, mode: KeyMode, options: AccountOptions = {}): Promise<string> {
  const userId = await createAccount(db, options);
  return (await createApiKey({ db, now: Date.now(), userId, mode, name: "test" })).apiKey;
}

/** A key that has been revoked. */
export async function createRevokedKey(db: Database, mode: KeyMode): Promise<string> {
  const userId = await createAccount(db);
  const { apiKey, id } = await createApiKey({ db, now: Date.now(), userId, mode, name: "test" });
  await db.update(apiKeys).set({ revokedAt: Date.now() }).where(eq(apiKeys.id, id));
  return apiKey;
}
