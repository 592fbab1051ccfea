import { beforeAll, expect, test } from "vitest";
import { recordName, tombstoneName } from "../../worker/key-cache/edge.ts";
import { hashKey } from "../../worker/keys/key-format.ts";
import { runAdmin } from "../admin.ts";
import { createSignedIn } from "../factories.ts";
import type { SignedIn } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { post, send } from "../requests.ts";

const worker = startWorker();

const KEYS = "/api/v1/account/api-keys";

let account: SignedIn;

beforeAll(async () => {
  account = await createSignedIn(worker.db);
});

async function createKey() {
  const response = await worker.fetch(KEYS, post(account.token, { mode: "live" }));
  expect(response.status).toBe(201);
  const { id, api_key: key } = (await response.json()) as { id: string; api_key: string };
  return { id, key, hash: hashKey(key) };
}

async function verify(key: string): Promise<number> {
  return (await worker.fetch("/api/v1/verify", post(key, { number: "+5511987654321" }))).status;
}

const inKv = (name: string) => worker.env.EDGE.get(name);

test("a key is created, used, revoked, and republished, through KV and the scheduled job", async () => {
  const [revoked, kept] = [await createKey(), await createKey()];
  for (const { key, hash } of [revoked, kept]) {
    expect(await verify(key)).toBe(200);
    await expect.poll(() => inKv(recordName(hash))).not.toBeNull();
  }
  expect((await worker.fetch(`${KEYS}/${revoked.id}`, send("DELETE", account.token))).status).toBe(200);
  expect(await verify(revoked.key)).toBe(401);
  await expect.poll(() => inKv(tombstoneName(revoked.hash))).toBe("revoked");
  await expect.poll(() => inKv(recordName(revoked.hash))).toBeNull();

  await worker.env.EDGE.delete(recordName(kept.hash));
  await worker.env.EDGE.put(recordName("lost"), "{}");
  const { data, text } = await runAdmin(worker, "republish");
  expect(data).toStrictEqual({ keys: 1, missing: 1 });
  expect(text).toContain("1 key that only KV has will be rejected for good.");
  await worker.schedule("* * * * *");
  expect(await inKv(recordName(kept.hash))).not.toBeNull();
  expect(await inKv(tombstoneName("lost"))).toBe("revoked");
  expect(await inKv(recordName("lost"))).toBeNull();
  expect([await verify(kept.key), await verify(revoked.key)]).toStrictEqual([200, 401]);
});
