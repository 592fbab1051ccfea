import { eq } from "drizzle-orm";
import { apiKeys, usageDaily } from "../schema.ts";
import { insertApiKey } from "../worker/keys/api-keys.ts";
import { DAY_MS, utcDay } from "../worker/platform/time.ts";
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

/** Usage of many days in both modes: more rows than an import writes at a time. */
export async function addUsage({ db }: Worker, userId: string, days: number): Promise<void> {
  const rows = Array.from({ length: days }, (_, before) => before).flatMap((before) =>
    (["live", "test"] as const).flatMap((mode) =>
      (["success", "failure"] as const).map((outcome) => ({
        userId,
        mode,
        day: utcDay(Date.now() - before * DAY_MS),
        countryCode: before % 3 === 0 ? "ZZ" : "BR",
        outcome,
        count: 1 + (before % 7),
      })),
    ),
  );
  for (let start = 0; start < rows.length; start += 16) {
    await db.insert(usageDaily).values(rows.slice(start, start + 16));
  }
}

/** All that has been counted of an account. */
export async function totalOf({ db }: Worker, userId: string): Promise<number> {
  const rows = await db.select().from(usageDaily).where(eq(usageDaily.userId, userId));
  return rows.reduce((sum, { count }) => sum + count, 0);
}
