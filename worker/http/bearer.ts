import type { Context } from "hono";
import type { AppEnv } from "../env.ts";

/** The credential of `Authorization: Bearer`, or null when there is none. */
export function bearerToken(c: Context<AppEnv>): string | null {
  return /^Bearer +(\S+) *$/i.exec(c.req.header("Authorization") ?? "")?.[1] ?? null;
}
