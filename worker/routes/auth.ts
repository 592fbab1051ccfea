import { Hono } from "hono";
import { LoginRequest } from "../../contract/accounts.ts";
import { MAX_BODY_BYTES } from "../../contract/limits.ts";
import { signIn } from "../accounts/sign-in.ts";
import { openDatabase } from "../db.ts";
import type { AppEnv } from "../env.ts";
import { backstop } from "../http/attempt-limits.ts";
import { limitBody, readBody } from "../http/body.ts";
import { clientAddress } from "../http/client-address.ts";

export const authRoutes = new Hono<AppEnv>().post("/auth/login", limitBody(MAX_BODY_BYTES), async (c) => {
  const credentials = await readBody(c, LoginRequest);
  await backstop(c);
  const session = await signIn({
    ...credentials,
    db: openDatabase(c.env.DB),
    now: Date.now(),
    secrets: c.get("config").secrets,
    address: clientAddress(c),
  });
  return c.json(session);
});
