import { eq } from "drizzle-orm";
import { apiKeys, emailTokens, users } from "../../schema.ts";
import { TRIAL } from "../../contract/limits.ts";
import { setUsage } from "../../test/notices.ts";
import type { RunningWorker } from "../../test/worker.ts";
import { createSession, createSignedIn, emailOf } from "../../test/factories.ts";
import type { AccountOptions } from "../../test/factories.ts";
import { insertApiKey } from "../../worker/keys/api-keys.ts";
import { hashToken } from "../../worker/accounts/email-tokens.ts";
import { newId } from "../../worker/platform/random.ts";
import { DAY_MS, utcDay } from "../../worker/platform/time.ts";

type Kind =
  | "email"
  | "session"
  | "spareSession"
  | "spareSessionId"
  | "staleSession"
  | "suspendedSession"
  | "liveKey"
  | "liveKeyId"
  | "testKey"
  | "revokedKey"
  | "link";

const OPTIONS: readonly AccountOptions[] = [
  { plan: "pro" },
  { plan: "pro" },
  { plan: "trial" },
  { subscription: "none" },
  { subscription: "none", verified: false },
  { subscription: "expired" },
];

/** The senders of a round: the accounts' credentials, addresses, and ids by kind, in the same order in every run. */
export type People = Readonly<Record<Kind, readonly string[]>>;

async function createAccount(
  db: RunningWorker["db"],
  options: AccountOptions,
): Promise<Record<"id" | Exclude<Kind, "suspendedSession">, string>> {
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
  await db.insert(emailTokens).values({
    id: newId("tok"),
    hash: hashToken(link),
    userId: id,
    purpose: isPending ? "verify_email" : "reset_password",
    expiresAt: now + DAY_MS,
  });
  return {
    id,
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

/** Creates the accounts of a round: requests sent in their names suspend, delete, and log them out. */
export async function createPeople({ db, env }: Pick<RunningWorker, "db" | "env">): Promise<People> {
  const accounts = await Promise.all(OPTIONS.map((options) => createAccount(db, options)));
  const trial = accounts[OPTIONS.findIndex(({ plan }) => plan === "trial")]!;
  await setUsage({ db, env }, trial.id, TRIAL.quota - 5, { day: utcDay(Date.now() - DAY_MS) });
  const suspended = await createSignedIn(db, { plan: "pro" });
  await db.update(users).set({ suspendedAt: Date.now() }).where(eq(users.id, suspended.id));
  const all = (kind: keyof (typeof accounts)[number]) => accounts.map((account) => account[kind]);
  return {
    email: all("email"),
    session: all("session"),
    spareSession: all("spareSession"),
    spareSessionId: all("spareSessionId"),
    staleSession: all("staleSession"),
    suspendedSession: [suspended.token],
    liveKey: all("liveKey"),
    liveKeyId: all("liveKeyId"),
    testKey: all("testKey"),
    revokedKey: all("revokedKey"),
    link: all("link"),
  };
}

/** Replaces values with names such as `<session0>`, which are the same in every run. */
export function withNames(text: string, people: People): string {
  let named = text;
  for (const [kind, values] of Object.entries(people)) {
    for (const [index, value] of values.entries()) named = named.replaceAll(value, `<${kind}${index}>`);
  }
  return named;
}
