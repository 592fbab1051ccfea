import { eq } from "drizzle-orm";
import { TRIAL } from "../../contract/limits.ts";
import { users } from "../../schema.ts";
import { createRevokedKey, createSignedIn } from "../../test/factories.ts";
import type { SignedIn } from "../../test/factories.ts";
import type { Database } from "../../worker/platform/db.ts";
import { setUsage } from "../../test/notices.ts";
import { insertApiKey } from "../../worker/keys/api-keys.ts";
import { DAY_MS, utcDay } from "../../worker/platform/time.ts";
import type { RunningWorker } from "../../test/worker.ts";

export interface Customer extends SignedIn {
  readonly keys: { readonly live: string; readonly test: string };
}

/** The users in a run. */
export interface Population {
  /** On the plan without a quota. */
  readonly customers: readonly Customer[];
  /** On a trial with ten verifications left. */
  readonly frugal: Customer;
  /** Sends more than its rate limit. */
  readonly greedy: Customer;
  /** Invalid keys, each with its expected error code. */
  readonly rejected: readonly { readonly key: string; readonly code: string }[];
  readonly everybody: readonly Customer[];
}

/**
 * Each test account may send 60 requests per minute, and a quarter of the traffic goes to test keys: this is twice what
 * is needed.
 */
function customersFor(rate: number): number {
  return Math.max(10, Math.ceil(rate / 2));
}

async function createCustomer(db: Database, plan: "trial" | "pro"): Promise<Customer> {
  const account = await createSignedIn(db, { plan });
  const key = { db, now: Date.now(), userId: account.id, name: "load" };
  const live = await insertApiKey({ ...key, mode: "live" });
  const sandbox = await insertApiKey({ ...key, mode: "test" });
  return { ...account, keys: { live: live.apiKey, test: sandbox.apiKey } };
}

/** Fills an empty database with the users of a run. `now` in milliseconds since the Unix epoch. */
export async function createPopulation(
  { db, env }: Pick<RunningWorker, "db" | "env">,
  rate: number,
  now: number,
): Promise<Population> {
  const customers: Customer[] = [];
  for (let made = customersFor(rate); made > 0; made--) customers.push(await createCustomer(db, "pro"));
  const frugal = await createCustomer(db, "trial");
  const greedy = await createCustomer(db, "trial");
  // Before today, to keep it separate from the run's usage.
  await setUsage({ db, env }, frugal.id, TRIAL.quota - 10, { day: utcDay(now - DAY_MS) });
  const suspended = await createCustomer(db, "pro");
  await db.update(users).set({ suspendedAt: now }).where(eq(users.id, suspended.id));
  const expired = await createSignedIn(db, { subscription: "expired" });
  const inactive = await insertApiKey({ db, now, userId: expired.id, mode: "live", name: "load" });
  return {
    customers,
    frugal,
    greedy,
    rejected: [
      { key: await createRevokedKey(db, "live"), code: "API_KEY_REVOKED" },
      { key: suspended.keys.live, code: "ACCOUNT_SUSPENDED" },
      { key: inactive.apiKey, code: "SUBSCRIPTION_INACTIVE" },
    ],
    everybody: [...customers, frugal, greedy],
  };
}
