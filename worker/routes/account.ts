import { Hono } from "hono";
import { DeleteAccountRequest } from "../../contract/accounts.ts";
import type { Account } from "../../contract/accounts.ts";
import { MAX_BODY_BYTES } from "../../contract/limits.ts";
import { confirmPassword, revokeSessions } from "../accounts/change-password.ts";
import { deleteAccount } from "../accounts/delete-account.ts";
import { openDatabase } from "../db.ts";
import type { AppEnv } from "../env.ts";
import { backstop } from "../http/attempt-limits.ts";
import { limitBody, readBody } from "../http/body.ts";
import { clientAddress } from "../http/client-address.ts";
import { publishing } from "../http/publishing.ts";
import { publishKeys, publishTombstones } from "../keys/cache/publish.ts";
import { forgetMails } from "../mail/mailbox.ts";
import { activateTrial } from "../subscriptions/activate-trial.ts";
import { readSubscription } from "../subscriptions/read-subscription.ts";

/** Mounted under /account, where everything needs a session. */
export const accountRoutes = new Hono<AppEnv>()
  .get("/me", (c) => {
    const { id, name, email, verifiedAt, createdAt } = c.get("account");
    const created_at = new Date(createdAt).toISOString();
    return c.json({ id, name, email, is_verified: verifiedAt !== null, created_at } satisfies Account);
  })
  .delete("/", limitBody(MAX_BODY_BYTES), async (c) => {
    const { password } = await readBody(c, DeleteAccountRequest);
    await backstop(c);
    const db = openDatabase(c.env.DB);
    const account = c.get("account");
    const { secrets } = c.get("config");
    await confirmPassword({ db, now: Date.now(), secrets, address: clientAddress(c), account }, password);
    await publishTombstones(publishing(c), await deleteAccount(db, account.id));
    if (c.get("config").mail?.driver === "mailbox") await forgetMails(c.env.EDGE, account.id);
    return c.body(null, 204);
  })
  .post("/sessions/revoke", async (c) => {
    const { secrets } = c.get("config");
    const account = c.get("account");
    return c.json(await revokeSessions({ db: openDatabase(c.env.DB), now: Date.now(), secrets, account }));
  })
  .get("/subscription", async (c) =>
    c.json(await readSubscription(openDatabase(c.env.DB), c.get("account").id, Date.now())),
  )
  .post("/subscriptions/trial", async (c) => {
    const db = openDatabase(c.env.DB);
    const now = Date.now();
    await activateTrial(db, c.get("account"), now);
    await publishKeys(publishing(c), { userId: c.get("account").id });
    return c.json(await readSubscription(db, c.get("account").id, now), 201);
  });
