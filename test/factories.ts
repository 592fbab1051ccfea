import { eq } from "drizzle-orm";
import type { KeyMode } from "../contract/limits.ts";
import type { Plan } from "../contract/plans.ts";
import { apiKeys, registrations, sessions, subscriptions, users } from "../schema.ts";
import { nameFrom } from "../worker/accounts/accounts.ts";
import { NOBODYS_PASSWORD } from "../worker/accounts/password.ts";
import { issueSession } from "../worker/accounts/sessions.ts";
import type { Database } from "../worker/platform/db.ts";
import { insertApiKey } from "../worker/keys/api-keys.ts";
import { newId } from "../worker/platform/random.ts";
import { TEST_SECRETS } from "./worker.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The password of every factory account. */
export const PASSWORD = "a password of the tests";

/** PASSWORD, at a cost that is 80 times cheaper to check. A successful login rehashes it at the service's cost. */
const CHEAP_HASH = "scrypt$1024$8$1$BwcHBwcHBwcHBwcHBwcHBw==$k8AMnCu2InMmmgQYHPQwlQYgcay347wbor+UquxACes=";

export interface AccountOptions {
  /** "none" for an account that never had one. */
  readonly subscription?: "active" | "expired" | "ended" | "none";
  /** An unverified one has a pending registration with PASSWORD, and the account has none. */
  readonly verified?: boolean;
  /** Of the pending registration. */
  readonly verifier?: string;
  /** The trial by default. */
  readonly plan?: Plan;
  /** PASSWORD's by default. */
  readonly passwordHash?: string;
}

/** The address of a factory account. */
export function emailOf(id: string): string {
  return `${id.toLowerCase()}@example.com`;
}

/** A new account, by default with a verified address and an active trial. Returns its id. */
export async function createAccount(db: Database, options: AccountOptions = {}): Promise<string> {
  const { subscription = "active", verified = true, plan = "trial", passwordHash = CHEAP_HASH, verifier } = options;
  const now = Date.now();
  const id = newId("usr");
  const registered = { name: "Ada", passwordHash, createdAt: now };
  const nobodys = { name: nameFrom(emailOf(id)), passwordHash: NOBODYS_PASSWORD };
  await db
    .insert(users)
    .values({ id, email: emailOf(id), ...registered, ...(verified ? { verifiedAt: now } : nobodys) });
  if (!verified) await db.insert(registrations).values({ id: newId("reg"), userId: id, verifier, ...registered });
  if (subscription !== "none") {
    await db.insert(subscriptions).values({
      userId: id,
      plan,
      status: subscription === "ended" ? "ended" : "active",
      startedAt: now - 20 * DAY,
      expiresAt: subscription === "expired" ? now - 1000 : now + DAY,
    });
  }
  return id;
}

export interface SignedIn {
  readonly id: string;
  readonly email: string;
  readonly token: string;
}

export interface SessionOptions {
  /** When it began and its password was given, in milliseconds since the Unix epoch; defaults to now. */
  readonly at?: number;
  readonly passwordAt?: number;
  readonly lastUsedAt?: number;
  readonly secret?: string;
  readonly browser?: string;
  readonly country?: string | null;
}

/** A session of an account that has never ended all of its sessions. */
export async function createSession(
  db: Database,
  userId: string,
  options: SessionOptions = {},
): Promise<{ readonly id: string; readonly token: string }> {
  const {
    at = Date.now(),
    secret = TEST_SECRETS.sessions.current,
    browser = "Chrome on Linux",
    country = null,
  } = options;
  const { passwordAt = at, lastUsedAt = at - (at % HOUR) } = options;
  const id = newId("ses");
  const row = { id, userId, epoch: 0, createdAt: at, lastUsedAt, passwordAt, browser, country };
  await db.insert(sessions).values(row);
  return { id, token: (await issueSession(row, secret)).token };
}

/** A new account with a session. */
export async function createSignedIn(db: Database, options: AccountOptions = {}): Promise<SignedIn> {
  const id = await createAccount(db, options);
  const { token } = await createSession(db, id);
  return { id, email: emailOf(id), token };
}

/** A key of a new account. */
export async function createKey(db: Database, mode: KeyMode, options: AccountOptions = {}): Promise<string> {
  const userId = await createAccount(db, options);
  return (await insertApiKey({ db, now: Date.now(), userId, mode, name: "test" })).apiKey;
}

/** A key that has been revoked. */
export async function createRevokedKey(db: Database, mode: KeyMode): Promise<string> {
  const userId = await createAccount(db);
  const { apiKey, id } = await insertApiKey({ db, now: Date.now(), userId, mode, name: "test" });
  await db.update(apiKeys).set({ revokedAt: Date.now() }).where(eq(apiKeys.id, id));
  return apiKey;
}
