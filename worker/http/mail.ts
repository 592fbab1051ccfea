import type { Context } from "hono";
import type { AppEnv } from "../env.ts";
import { ApiError } from "../api-error.ts";

/**
 * The mail queue, where the service is set up to send mail. What rests on a mail arriving is refused otherwise, instead of leaving
 * somebody waiting for it.
 * @throws ApiError 503.
 */
export function requireMail(c: Context<AppEnv>): AppEnv["Bindings"]["MAIL"] {
  if (c.get("config").mail !== null) return c.env.MAIL;
  throw new ApiError("TEMPORARILY_UNAVAILABLE", { message: "This service cannot send mail yet, so this is not open." });
}
