import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { and, eq, isNull, sum } from "drizzle-orm";
import { KEY_MODES } from "../../contract/limits.ts";
import { TRIAL } from "../../contract/plans.ts";
import type { KeyMode } from "../../contract/limits.ts";
import { apiKeys, subscriptions, usageMonths, users } from "../../schema.ts";
import { hashPassword, verifyPassword } from "../../worker/accounts/password.ts";
import { openDatabase } from "../../worker/platform/db.ts";
import type { Database } from "../../worker/platform/db.ts";
import { insertApiKey } from "../../worker/keys/api-keys.ts";
import { findKey } from "../../worker/key-cache/find-keys.ts";
import { publishKeys } from "../../worker/key-cache/publish.ts";
import { changedAt, touchActiveKeys } from "../../worker/key-cache/key-changes.ts";
import { hashKey } from "../../worker/keys/key-format.ts";
import { newId } from "../../worker/platform/random.ts";
import { DAY_MS } from "../../worker/platform/time.ts";
import type { Part } from "../../worker/ledger/part.ts";
import { openLocalBindings } from "./bindings.ts";
import type { LocalBindings } from "./bindings.ts";
import { DEMO_DAYS, demoUsage } from "./demo-usage.ts";
import { ROOT, runTool } from "./run.ts";

const EMAIL = "demo@checkline.example";
const PASSWORD = "checkline-demo";

/**
 * Keys are stored only as hashes, so the demo's copies are kept next to the local database, outside version control.
 */
const KEYS_FILE = join(ROOT, ".wrangler/demo-keys.json");

type DemoKeys = Record<KeyMode, string>;

export interface DemoAccount {
  readonly email: string;
  /** Null if it has been changed since. */
  readonly password: string | null;
  readonly keys: DemoKeys;
  /** Whether the database had no demo account. */
  readonly isNew: boolean;
  /** For an unused account: what its ledger should count. */
  readonly usage: Part | null;
}

type UserRow = typeof users.$inferSelect;

async function findUser(db: Database): Promise<UserRow | undefined> {
  return db.select().from(users).where(eq(users.email, EMAIL)).get();
}

async function addUser(db: Database, now: number): Promise<UserRow> {
  const passwordHash = await hashPassword(PASSWORD);
  const createdAt = now - (DEMO_DAYS.test + 1) * DAY_MS;
  const row = {
    id: newId("usr"),
    email: EMAIL,
    name: "Demo Developer",
    passwordHash,
    verifiedAt: createdAt,
    createdAt,
  };
  return db.insert(users).values(row).returning().get();
}

/**
 * A trial that ends in two weeks. It began with the sample usage, which its quota counts. Another begins once the quota
 * is used up.
 * @returns when it began, in milliseconds since the Unix epoch
 */
async function renewTrial(db: Database, { id: userId }: UserRow, now: number): Promise<number> {
  const [months] = await db
    .select({ used: sum(usageMonths.liveSuccessful).mapWith(Number) })
    .from(usageMonths)
    .where(eq(usageMonths.userId, userId));
  const startedAt = now - (DEMO_DAYS.live + 1) * DAY_MS;
  const period = { status: "active", expiresAt: now + TRIAL.days * DAY_MS } as const;
  const isUsedUp = (months?.used ?? 0) >= TRIAL.quota;
  const renewed = db
    .insert(subscriptions)
    .values({ userId, plan: "trial", startedAt, ...period })
    .onConflictDoUpdate({
      target: subscriptions.userId,
      set: { ...period, ...(isUsedUp && { startedAt: now }) },
      setWhere: eq(subscriptions.plan, "trial"),
    });
  await db.batch([renewed, touchActiveKeys(db, userId, now)]);
  return startedAt;
}

async function keptKeys(): Promise<Partial<DemoKeys>> {
  try {
    return JSON.parse(await readFile(KEYS_FILE, "utf8")) as Partial<DemoKeys>;
  } catch {
    return {};
  }
}

/** The saved keys that still work, and new ones for the rest. */
async function ensureKeys(db: Database, { id: userId, createdAt: startedAt }: UserRow, now: number): Promise<DemoKeys> {
  const keys = await keptKeys();
  for (const mode of KEY_MODES) {
    const key = keys[mode];
    const hash = key && hashKey(key);
    const found = hash === undefined ? "unknown" : await findKey(db, hash, now);
    if (typeof found === "string" || found.userId !== userId || found.mode !== mode) {
      const name = `Demo ${mode} key`;
      // Earlier ones can no longer be printed, and would pile up.
      await db
        .update(apiKeys)
        .set({ revokedAt: now, ...changedAt(now) })
        .where(and(eq(apiKeys.userId, userId), eq(apiKeys.name, name), isNull(apiKeys.revokedAt)));
      const { apiKey, id } = await insertApiKey({ db, now, userId, mode, name });
      await db.update(apiKeys).set({ createdAt: startedAt }).where(eq(apiKeys.id, id));
      keys[mode] = apiKey;
    }
  }
  await mkdir(dirname(KEYS_FILE), { recursive: true });
  await writeFile(KEYS_FILE, JSON.stringify(keys), { mode: 0o600 });
  return keys as DemoKeys;
}

async function keyId(db: Database, key: string): Promise<string> {
  const row = await db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(eq(apiKeys.hash, hashKey(key)))
    .get();
  return row!.id;
}

/**
 * A verified demo account with an active trial, two working keys, and some weeks of sample usage. Changes nothing else.
 */
async function seedDemoAccount({ DB, EDGE }: LocalBindings): Promise<DemoAccount> {
  const db = openDatabase(DB);
  const now = Date.now();
  const found = await findUser(db);
  const user = found ?? (await addUser(db, now));
  const startedAt = await renewTrial(db, user, now);
  const unchanged = await verifyPassword(PASSWORD, user.passwordHash);
  const keys = await ensureKeys(db, user, now);
  await publishKeys({ edge: EDGE, db, now }, { userId: user.id });
  const ids = { test: await keyId(db, keys.test), live: await keyId(db, keys.live) };
  const usage = user.meteredAt === null ? demoUsage(user.id, ids, startedAt, now) : null;
  return { email: EMAIL, password: unchanged ? PASSWORD : null, keys, isNew: found === undefined, usage };
}

/** Whether wrangler has recorded all of this project's migrations as applied. */
async function isMigrated({ DB }: LocalBindings): Promise<boolean> {
  const files = (await readdir(join(ROOT, "migrations"))).filter((name) => name.endsWith(".sql"));
  try {
    const { results } = await DB.prepare("SELECT name FROM d1_migrations").all<{ name: string }>();
    return files.every((file) => results.some(({ name }) => name === file));
  } catch {
    // A new database does not have the table.
    return false;
  }
}

async function withPlatform<T>(work: (env: LocalBindings) => Promise<T>): Promise<T> {
  const platform = await openLocalBindings(join(ROOT, "wrangler.toml"));
  try {
    return await work(platform.env);
  } finally {
    await platform.dispose();
  }
}

/** Migrates the local database and makes sure that it has a demo account. */
export async function prepareDatabase(): Promise<DemoAccount> {
  const seeded = await withPlatform(async (env) => ((await isMigrated(env)) ? seedDemoAccount(env) : null));
  if (seeded !== null) return seeded;
  // wrangler takes seconds to start, so it runs only when there is something to migrate.
  await runTool("wrangler", ["d1", "migrations", "apply", "DB", "--local"]);
  return withPlatform(seedDemoAccount);
}
