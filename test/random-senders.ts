import { eq } from "drizzle-orm";
import { emailTokens, users } from "../schema.ts";
import { hashToken } from "../worker/accounts/email-tokens.ts";
import { insertApiKey } from "../worker/keys/api-keys.ts";
import { newId } from "../worker/platform/random.ts";
import { DAY_MS } from "../worker/platform/time.ts";
import { createRevokedKey, createSession, createSignedIn } from "./factories.ts";
import type { AccountOptions } from "./factories.ts";
import type { RunningWorker } from "./worker.ts";

const ACCOUNTS: readonly AccountOptions[] = [
  { plan: "pro" },
  { plan: "pro" },
  { plan: "trial" },
  { subscription: "none" },
  { subscription: "none", verified: false },
  { subscription: "expired" },
];

/** What senders of random requests have: credentials by kind, and values for fields and ids. */
export interface Senders {
  readonly keys: readonly string[];
  readonly sessions: readonly string[];
  /** Credentials that no operation accepts. */
  readonly rejected: readonly string[];
  readonly emails: readonly string[];
  readonly ids: readonly string[];
  /** Tokens of emailed links. */
  readonly links: readonly string[];
}

async function createSender(db: RunningWorker["db"], options: AccountOptions) {
  const now = Date.now();
  const account = await createSignedIn(db, options);
  const other = await createSession(db, account.id);
  const key = { db, now, userId: account.id, name: "random" };
  const [live, sandbox] = [await insertApiKey({ ...key, mode: "live" }), await insertApiKey({ ...key, mode: "test" })];
  const link = newId("tok");
  await db.insert(emailTokens).values({
    id: newId("tok"),
    hash: hashToken(link),
    userId: account.id,
    purpose: "reset_password",
    registrationId: null,
    createdAt: now,
    expiresAt: now + DAY_MS,
  });
  return {
    keys: [live.apiKey, sandbox.apiKey],
    sessions: [account.token, other.token],
    email: account.email,
    ids: [live.id, other.id],
    link,
  };
}

/** Creates accounts in every state, with their credentials. */
export async function createSenders({ db }: Pick<RunningWorker, "db">): Promise<Senders> {
  const senders = await Promise.all(ACCOUNTS.map((options) => createSender(db, options)));
  const suspended = await createSignedIn(db);
  await db.update(users).set({ suspendedAt: Date.now() }).where(eq(users.id, suspended.id));
  return {
    keys: senders.flatMap(({ keys }) => keys),
    sessions: senders.flatMap(({ sessions }) => sessions),
    rejected: [suspended.token, await createRevokedKey(db, "live"), "", "null", "a.b.c", "ch_live_", "é"],
    emails: senders.map(({ email }) => email),
    ids: senders.flatMap(({ ids }) => ids),
    links: senders.map(({ link }) => link),
  };
}
