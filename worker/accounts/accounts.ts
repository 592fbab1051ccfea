import { and, eq, gt, isNull } from "drizzle-orm";
import type { Account } from "../../contract/accounts.ts";
import { EMAIL_TOKEN_HOURS } from "../../contract/limits.ts";
import { emailTokens, users } from "../../schema.ts";
import type { Io } from "../io.ts";
import type { Database } from "../platform/db.ts";
import { HOUR_MS } from "../platform/time.ts";

/** An account row. Times in milliseconds since the Unix epoch. */
export type AccountRow = typeof users.$inferSelect;

/** The links of changes of email that were neither confirmed nor ended. */
export function pendingChange(userId: string) {
  return and(eq(emailTokens.userId, userId), eq(emailTokens.purpose, "change_email"), isNull(emailTokens.usedAt));
}

/** An account as returned to its owner. */
export async function accountView(
  { db, now }: Pick<Io, "db" | "now">,
  { id, name, email, verifiedAt, createdAt }: AccountRow,
): Promise<Account> {
  // By the time of the request: only a free address gets a link, whose time begins when it is sent.
  const isShown = gt(emailTokens.createdAt, now - EMAIL_TOKEN_HOURS.change_email * HOUR_MS);
  const pending = await db
    .select({ email: emailTokens.email })
    .from(emailTokens)
    .where(and(pendingChange(id), isShown))
    .get();
  return {
    id,
    name,
    email,
    is_verified: verifiedAt !== null,
    pending_email: pending?.email ?? null,
    created_at: new Date(createdAt).toISOString(),
  };
}

/** The default name of an account: the local part of its email address. */
export function nameFrom(email: string): string {
  return email.split("@")[0]!;
}

/** The account with this id, or null. */
export async function findAccount(db: Database, id: string): Promise<AccountRow | null> {
  return (await db.select().from(users).where(eq(users.id, id)).get()) ?? null;
}

/** The account with this lowercase address, or null. */
export async function findAccountByEmail(db: Database, email: string): Promise<AccountRow | null> {
  return (await db.select().from(users).where(eq(users.email, email)).get()) ?? null;
}
