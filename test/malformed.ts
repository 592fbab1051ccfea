import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { apiKeys, users } from "../schema.ts";
import { insertApiKey } from "../worker/keys/api-keys.ts";
import { createSignedIn, PASSWORD } from "./factories.ts";
import type { SignedIn } from "./factories.ts";
import { pathOf, post } from "./requests.ts";
import type { RunningWorker } from "./worker.ts";

/** A request that must be rejected. */
export interface Case {
  readonly name: string;
  readonly path: string;
  /** Created lazily, because accounts exist only once the worker runs. */
  readonly request: () => RequestInit;
  readonly status: number;
  readonly code: string;
  /** Exactly these, for an invalid body. */
  readonly fields?: Record<string, string>;
  /** The Allow header's methods, for a wrong method. */
  readonly allow?: readonly string[];
}

export interface Bystanders {
  ada: SignedIn;
  other: SignedIn;
  adasKey: Awaited<ReturnType<typeof insertApiKey>>;
  othersKey: Awaited<ReturnType<typeof insertApiKey>>;
  /** Also Ada's. */
  revokedKey: Awaited<ReturnType<typeof insertApiKey>>;
}

/** Two accounts, created before the first test: malformed requests must not change either. */
export function createBystanders(worker: Pick<RunningWorker, "db">): Readonly<Bystanders> {
  const them = {} as Bystanders;
  const newKey = (userId: string) =>
    insertApiKey({ db: worker.db, now: Date.now(), userId, mode: "test", name: "test" });
  beforeAll(async () => {
    them.ada = await createSignedIn(worker.db);
    them.other = await createSignedIn(worker.db);
    them.adasKey = await newKey(them.ada.id);
    them.othersKey = await newKey(them.other.id);
    them.revokedKey = await newKey(them.ada.id);
    await worker.db.update(apiKeys).set({ revokedAt: Date.now() }).where(eq(apiKeys.id, them.revokedKey.id));
  });
  return them;
}

export async function expectRejection(response: Response, { status, code, fields, allow }: Case): Promise<void> {
  const answer = (await response.json()) as { error: string; code: string; fields?: Record<string, string> };
  expect({ status: response.status, code: answer.code }).toStrictEqual({ status, code });
  expect(answer.error).toMatch(/^[A-Z].*\.$/);
  expect(answer.fields).toStrictEqual(fields);
  expect(response.headers.get("Content-Type")).toBe("application/json");
  expect(response.headers.get("X-Request-Id")).toMatch(/^req_/);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  expect(response.headers.get("WWW-Authenticate")).toBe(status === 401 ? "Bearer" : null);
  expect(response.headers.get("Allow")?.split(", ").toSorted()).toStrictEqual(allow);
}

/** Tests that each is rejected as specified, and that all of them together have changed nothing. */
export function testRejections(
  worker: Pick<RunningWorker, "fetch" | "db">,
  them: Readonly<Bystanders>,
  cases: readonly Case[],
): void {
  // As separate text, since field names would be cut off.
  const named = cases.map(
    (malformed) => [`${malformed.name}: ${malformed.status} ${malformed.code}`, malformed] as const,
  );

  test.each(named)("%s", async (_, malformed) => {
    await expectRejection(await worker.fetch(malformed.path, malformed.request()), malformed);
  });

  test("change nothing", async () => {
    const rows = await worker.db.select().from(users);
    expect(rows.map(({ id }) => id).toSorted()).toStrictEqual([them.ada.id, them.other.id].toSorted());
    expect(rows.map(({ sessionEpoch }) => sessionEpoch)).toStrictEqual([0, 0]);
    const active = await worker.db.select().from(apiKeys);
    const alive = active.filter(({ revokedAt }) => revokedAt === null).map(({ id }) => id);
    expect(alive.toSorted()).toStrictEqual([them.adasKey.id, them.othersKey.id].toSorted());
    const session = await worker.fetch(pathOf("login"), post(null, { email: them.ada.email, password: PASSWORD }));
    expect(session.status).toBe(200);
  });
}

// The contract's messages for fields.
export const REQUIRED = "Required";
export const STRING = "Must be a string";
export const UNKNOWN = "Unknown field";
export const MODE = "Must be test or live";
