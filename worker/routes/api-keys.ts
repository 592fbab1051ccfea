import { Hono } from "hono";
import type { Context } from "hono";
import { CreateKeyRequest, ModeQuery } from "../../contract/keys.ts";
import { MAX_BODY_BYTES } from "../../contract/limits.ts";
import type { KeyMode } from "../../contract/limits.ts";
import { openDatabase } from "../db.ts";
import type { AppEnv } from "../env.ts";
import { limitBody, readBody, readQuery } from "../http/body.ts";
import { ApiError } from "../api-error.ts";
import { publishing } from "../http/publishing.ts";
import { createApiKey } from "../keys/create-api-key.ts";
import { publishKeys, publishTombstones } from "../keys/cache/publish.ts";
import { revokeApiKeys } from "../keys/key-changes.ts";
import { listApiKeys } from "../keys/list-api-keys.ts";
import { sendNotice } from "../mail/send-notice.ts";
import { isActive } from "../subscriptions/is-active.ts";
import { findSubscription } from "../subscriptions/read-subscription.ts";

/** Revokes keys of the account, here at once and elsewhere as soon as KV shows it. Returns how many stopped working. */
async function revoke(
  c: Context<AppEnv>,
  which: { readonly mode?: KeyMode | undefined; readonly id?: string },
): Promise<number> {
  const userId = c.get("account").id;
  const revoked = await revokeApiKeys(openDatabase(c.env.DB), Date.now(), { userId, ...which });
  c.executionCtx.waitUntil(publishTombstones(publishing(c), revoked));
  return revoked.length;
}

/** Mounted under /account/api-keys, where everything needs a session. */
export const apiKeyRoutes = new Hono<AppEnv>()
  .post("/", limitBody(MAX_BODY_BYTES), async (c) => {
    const { mode, name = mode === "live" ? "Live key" : "Test key" } = await readBody(c, CreateKeyRequest);
    const db = openDatabase(c.env.DB);
    const userId = c.get("account").id;
    const now = Date.now();
    if (!isActive(await findSubscription(db, userId), now)) throw new ApiError("SUBSCRIPTION_REQUIRED");
    const { apiKey, createdAt, ...key } = await createApiKey({ db, now, userId, mode, name });
    c.executionCtx.waitUntil(publishKeys(publishing(c), { keyIds: [key.id] }));
    if (mode === "live") {
      c.executionCtx.waitUntil(
        sendNotice({ db, mail: c.env.MAIL, now }, { user_id: userId, purpose: "live_key_created", key_id: key.id }),
      );
    }
    return c.json({ api_key: apiKey, ...key, created_at: new Date(createdAt).toISOString() }, 201);
  })
  .get("/", async (c) => c.json({ keys: await listApiKeys(openDatabase(c.env.DB), c.get("account").id) }))
  .delete("/", async (c) => {
    const { mode } = readQuery(c, ModeQuery);
    const revoked = await revoke(c, { mode });
    return c.json({ revoked });
  })
  .delete("/:id", async (c) => {
    const revoked = await revoke(c, { id: c.req.param("id") });
    if (revoked === 0) throw new ApiError("NOT_FOUND", { message: "There is no active key with this id." });
    return c.json({ revoked });
  });
