import { eq } from "drizzle-orm";
import type { Product } from "../../bench/runtime.ts";
import { apiKeys, emailTokens, registrations, users } from "../../schema.ts";
import { createSession, createSignedIn, emailOf } from "../../test/factories.ts";
import type { AccountOptions } from "../../test/factories.ts";
import { insertApiKey } from "../../worker/keys/api-keys.ts";
import { hashToken } from "../../worker/accounts/email-tokens.ts";
import { newId } from "../../worker/platform/random.ts";
import { DAY_MS } from "../../worker/platform/time.ts";

/** An account of a run. Requests name what belongs to it, such as `session0`, and are printed with these names. */
type Account = Readonly<Record<string, string>>;

const OPTIONS: readonly AccountOptions[] = [
  { plan: "pro" },
  { plan: "pro" },
  { plan: "trial" },
  { subscription: "none" },
  { subscription: "none", verified: false },
  { subscription: "expired" },
];

/** Who sends the requests of a round: what accounts have to send, each under a name that is the same in every run. */
export type People = ReadonlyMap<string, string>;

async function createAccount(db: Product["db"], options: AccountOptions): Promise<Account> {
  const now = Date.now();
  const { id, token } = await createSignedIn(db, options);
  const newKey = (mode: "test" | "live") => insertApiKey({ db, now, userId: id, mode, name: "fuzz" });
  const [second, stale, live, test, gone] = await Promise.all([
    createSession(db, id),
    createSession(db, id, { at: now - 3_600_000, lastUsedAt: now }),
    newKey("live"),
    newKey("test"),
    newKey("test"),
  ]);
  await db.update(apiKeys).set({ revokedAt: now }).where(eq(apiKeys.id, gone.id));
  const link = newId("tok") + newId("tok");
  const isPending = options.verified === false;
  const registrationId = isPending ? newId("reg") : null;
  if (registrationId !== null)
    await db.insert(registrations).values({ id: registrationId, userId: id, createdAt: now });
  await db.insert(emailTokens).values({
    id: newId("tok"),
    hash: hashToken(link),
    userId: id,
    purpose: isPending ? "verify_email" : "reset_password",
    registrationId,
    expiresAt: now + DAY_MS,
  });
  return {
    email: emailOf(id),
    session: token,
    spareSession: second.token,
    spareSessionId: second.id,
    staleSession: stale.token,
    liveKey: live.apiKey,
    liveKeyId: live.id,
    testKey: test.apiKey,
    revokedKey: gone.apiKey,
    link,
  };
}

/** Makes the accounts of a round: they are suspended, deleted and logged out by what is sent in their names. */
export async function createPeople({ db }: Pick<Product, "db">): Promise<People> {
  const accounts = await Promise.all(OPTIONS.map((options) => createAccount(db, options)));
  const suspended = await createSignedIn(db, { plan: "pro" });
  await db.update(users).set({ suspendedAt: Date.now() }).where(eq(users.id, suspended.id));
  const named = accounts.flatMap((account, index) =>
    Object.entries(account).map(([name, value]) => [`${name}${index}`, value] as const),
  );
  return new Map([...named, ["suspendedSession", suspended.token]]);
}

/** The names of everything that belongs to anybody and begins like this. */
export function namesOf(people: People, prefix: string): string[] {
  return [...people.keys()].filter((name) => new RegExp(`^${prefix}\\d*$`).test(name));
}

/** A text with names in place of what they stand for: the same in every run. */
export function withNames(text: string, people: People): string {
  let named = text;
  for (const [name, value] of people) named = named.replaceAll(value, `<${name}>`);
  return named;
}
