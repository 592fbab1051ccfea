import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { MAX_NEW_KEYS_PER_HOUR } from "../../contract/limits.ts";
import { apiKeys, sessions } from "../../schema.ts";
import { createApiKey } from "../../worker/keys/api-keys.ts";
import { countAccountCall } from "../../worker/limits/attempts.ts";
import { LIMITS } from "../../worker/limits/table.ts";
import type { ExactLimit } from "../../worker/limits/table.ts";
import type { MailMessage } from "../../worker/mail/email.ts";
import { createSession, createSignedIn, PASSWORD } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { ioOf, sessionOf } from "../io.ts";
import { post, send } from "../requests.ts";

const worker = startWorker();
const KEYS = "/api/v1/account/api-keys";
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

async function call(path: string, init: RequestInit) {
  const response = await worker.fetch(path, init);
  const { code = null, id } = (await response.json()) as { code?: string; id?: string };
  return { status: response.status, code, id, retryAfter: Number(response.headers.get("Retry-After")) };
}

/** Makes as many of an account's calls as a rule allows. */
async function useUp(userId: string, rule: ExactLimit<"account">): Promise<void> {
  const io = ioOf(worker);
  for (let made = 0; made < rule.max; made++) await countAccountCall(io, rule, userId);
}

describe("an account", () => {
  test("can generate 20 keys per hour, revoked ones included, and revoke any number", async () => {
    const { id: userId, token } = await createSignedIn(worker.db);
    for (let made = 0; made < MAX_NEW_KEYS_PER_HOUR; made++) {
      const created = await call(KEYS, post(token, { mode: "test" }));
      expect(created.status).toBe(201);
      if (made > 0) expect((await call(`${KEYS}/${created.id}`, send("DELETE", token))).status).toBe(200);
    }
    const rejected = await call(KEYS, post(token, { mode: "live" }));
    expect(rejected).toMatchObject({ status: 429, code: "RATE_LIMITED" });
    expect(rejected.retryAfter).toBeGreaterThan(3_500);
    expect(rejected.retryAfter).toBeLessThanOrEqual(3_600);
    expect((await call(KEYS, send("DELETE", token))).status).toBe(200);
    const earlier = { createdAt: sql`${apiKeys.createdAt} - ${HOUR}` };
    await worker.db.update(apiKeys).set(earlier).where(eq(apiKeys.userId, userId));
    expect((await call(KEYS, post(token, { mode: "live" }))).status).toBe(201);
  });

  test("has limits for trials and password changes, and none for logging out and deleting", async () => {
    const { id, token } = await createSignedIn(worker.db);
    const { trialPerAccount, passwordChangePerAccount } = LIMITS;
    for (const rule of [trialPerAccount, passwordChangePerAccount]) await useUp(id, rule);
    const passwords = { old_password: PASSWORD, new_password: "another password" };
    for (const [path, init] of [
      ["/api/v1/account/subscriptions/trial", send("POST", token)],
      ["/api/v1/users/change-password", post(token, passwords)],
    ] as const) {
      const rejected = await call(path, init);
      expect([path, rejected.status, rejected.code]).toStrictEqual([path, 429, "RATE_LIMITED"]);
      expect(rejected.retryAfter).toBeGreaterThan(3_500);
    }
    expect((await call("/api/v1/account/sessions", send("DELETE", token))).status).toBe(200);
    const { token: other } = await createSession(worker.db, id);
    expect((await worker.fetch("/api/v1/auth/logout", send("POST", other))).status).toBe(204);
    expect((await worker.fetch("/api/v1/account", send("DELETE", token))).status).toBe(204);
  });

  test("gets one email about its first live key, and one about all others within ten minutes", async () => {
    const session = await sessionOf(ioOf(worker), (await createSignedIn(worker.db)).token);
    const started = Date.now();
    const sent: (readonly [MailMessage, { readonly delaySeconds?: number }])[] = [];
    const MAIL = { send: async (...message: (typeof sent)[number]) => void sent.push(message) } as never;
    for (const [after, count] of [
      [0, 1],
      [MINUTE, 2],
      [2 * MINUTE, 2],
      [9 * MINUTE, 2],
      [10 * MINUTE, 3],
    ] as const) {
      const work: Promise<unknown>[] = [];
      const io = {
        ...ioOf({ env: { ...worker.env, MAIL } }, () => started + after),
        waitUntil: (promise: Promise<unknown>) => void work.push(promise),
      };
      const passwordAt = started + after;
      await worker.db.update(sessions).set({ passwordAt }).where(eq(sessions.id, session.id));
      await createApiKey(io, { ...session, passwordAt }, { mode: "live", name: "test" });
      await Promise.all(work);
      expect(sent).toHaveLength(count);
    }
    const delays = sent.map(([{ since }, { delaySeconds }]) => [since, delaySeconds]);
    expect(delays).toStrictEqual([
      [undefined, undefined],
      // A minute before the first, since requests may be counted out of order.
      [started - MINUTE, 9 * 60],
      [undefined, undefined],
    ]);
  });
});
