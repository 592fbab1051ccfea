import { eq } from "drizzle-orm";
import { apiKeys } from "../schema.ts";
import { insertApiKey } from "../worker/keys/api-keys.ts";
import { createSignedIn } from "./factories.ts";
import type { AccountOptions } from "./factories.ts";
import type { RunningWorker } from "./worker.ts";

type Worker = Pick<RunningWorker, "db">;

export interface Customer {
  readonly id: string;
  readonly email: string;
  readonly keys: { readonly live: string; readonly test: string; readonly revoked: string };
}

/** Every kind of them, by what it is called. */
export const CUSTOMERS: Readonly<Record<string, AccountOptions>> = {
  "on trial": {},
  "with an expired trial": { subscription: "expired" },
  "with an ended subscription": { subscription: "ended" },
  "on pro": { plan: "pro" },
  "without subscription": { subscription: "none" },
  unverified: { subscription: "none", verified: false },
  suspended: {},
};

/** An account with a key of each mode, and a revoked one. */
export async function createCustomer({ db }: Worker, options: AccountOptions): Promise<Customer> {
  const { id, email } = await createSignedIn(db, options);
  const key = { db, now: Date.now(), userId: id };
  const live = await insertApiKey({ ...key, mode: "live", name: "Server" });
  const sandbox = await insertApiKey({ ...key, mode: "test", name: 'A "test"\u2028key' });
  const revoked = await insertApiKey({ ...key, mode: "live", name: "Old" });
  await db.update(apiKeys).set({ revokedAt: Date.now(), version: 2 }).where(eq(apiKeys.id, revoked.id));
  return { id, email, keys: { live: live.apiKey, test: sandbox.apiKey, revoked: revoked.apiKey } };
}
