import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { subscriptions } from "../../schema.ts";
import type { EdgeKv } from "../../worker/keys/cache/edge.ts";
import { publishUsage } from "../../worker/keys/cache/publish-usage.ts";
import { publishKeys } from "../../worker/keys/cache/publish.ts";
import type { Publishing } from "../../worker/keys/cache/publish.ts";
import { captureLog } from "../captured-log.ts";
import { startWorker } from "../harness.ts";
import { keyPublishing } from "../key-publishing.ts";

const worker = startWorker();
const { publishing, failingKv, makeKey, rowOf, copyOf, revokeRow, use } = keyPublishing(worker);

const log = captureLog("warn");

describe("publishing use", () => {
  test("brings the quota of an account's live keys up to date, and leaves rows and versions alone", async () => {
    const key = await makeKey();
    const second = await makeKey({ userId: key.userId });
    const sandbox = await makeKey({ userId: key.userId, mode: "test" });
    await publishKeys(publishing({ now: Date.now() - 1_000 }), { userId: key.userId });
    const before = await rowOf(key);
    await use(key.userId, 25);
    expect(await publishUsage(publishing(), [key.userId])).toStrictEqual({ written: 2, failed: 0, left: 0 });
    expect(await copyOf(key)).toMatchObject({ version: 1, quota: { limit: 1_000, used: 25 } });
    expect(await copyOf(second)).toMatchObject({ quota: { used: 25 } });
    expect((await copyOf(sandbox))?.quota).toBeNull();
    expect(await rowOf(key)).toStrictEqual(before);
  });

  test("spares KV what is less than a hundredth, until half a minute has gone, and never the end of the quota", async () => {
    const key = await makeKey();
    const now = Date.now();
    await publishKeys(publishing({ now }), { keyIds: [key.id] });
    await use(key.userId, 9);
    expect(await publishUsage(publishing({ now: now + 1_000 }), [key.userId])).toMatchObject({ written: 0 });
    expect(await publishUsage(publishing({ now: now + 30_000 }), [key.userId])).toMatchObject({ written: 1 });
    await use(key.userId, 999);
    expect(await publishUsage(publishing({ now: now + 31_000 }), [key.userId])).toMatchObject({ written: 1 });
    await use(key.userId, 1_000);
    expect(await publishUsage(publishing({ now: now + 32_000 }), [key.userId])).toMatchObject({ written: 1 });
    await use(key.userId, 1_050);
    expect(await publishUsage(publishing({ now: now + 99_000 }), [key.userId])).toMatchObject({ written: 0 });
    expect(await copyOf(key)).toMatchObject({ quota: { used: 1_000 } });
  });

  test("asks KV nothing for plans without a limit, revoked keys or nobody", async () => {
    const pro = await makeKey();
    await worker.db.update(subscriptions).set({ plan: "pro" }).where(eq(subscriptions.userId, pro.userId));
    const revoked = await makeKey();
    await revokeRow(revoked);
    for (const { userId } of [pro, revoked]) await use(userId, 500);
    expect(await publishUsage(publishing({ edge: {} as EdgeKv }), [pro.userId, revoked.userId])).toMatchObject({
      written: 0,
      failed: 0,
    });
    expect(await publishUsage({} as Publishing, [])).toStrictEqual({ written: 0, failed: 0, left: 0 });
  });

  test("never replaces a newer record, and fails nobody when KV refuses", async () => {
    const key = await makeKey();
    const now = Date.now();
    await publishKeys(publishing({ now: now + 5_000 }), { keyIds: [key.id] });
    await use(key.userId, 500);
    expect(await publishUsage(publishing({ now }), [key.userId])).toMatchObject({ written: 0, failed: 0 });
    const failing = publishing({ edge: failingKv(Infinity), now: now + 6_000 });
    expect(await publishUsage(failing, [key.userId])).toMatchObject({ written: 0, failed: 1 });
    expect(log.events()).toStrictEqual(["usage_not_published"]);
  });
});
