import type { D1Database, KVNamespace } from "@cloudflare/workers-types";
import { Hono } from "hono";
import { parsePhoneNumber } from "libphonenumber-js/max";

interface Bindings {
  readonly DB: D1Database;
  readonly KV: KVNamespace;
}

const LIMIT = 1e9;

/**
 * A naive implementation of the API: the key from D1, a counter in KV, libphonenumber-js, and a usage row per request.
 */
export default new Hono<{ Bindings: Bindings }>().post("/api/v1/verify", async (c) => {
  const { DB, KV } = c.env;
  const token = c.req.header("Authorization")?.slice("Bearer ".length) ?? "";
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  const hash = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const key = await DB.prepare("SELECT id, user_id FROM keys WHERE hash = ? AND revoked_at IS NULL").bind(hash).first();
  if (key === null) return c.json({ error: "Unknown key" }, 401);

  const counter = `rate:${key["user_id"] as string}:${Math.floor(Date.now() / 60_000)}`;
  const count = Number((await KV.get(counter)) ?? 0);
  if (count >= LIMIT) return c.json({ error: "Too many requests" }, 429);
  await KV.put(counter, String(count + 1), { expirationTtl: 120 });

  const { number: input } = await c.req.json<{ number: string }>();
  const number = parsePhoneNumber(input);
  const result = {
    valid: number.isValid(),
    number: number.number,
    local_format: number.formatNational(),
    international_format: number.formatInternational(),
    country_prefix: `+${number.countryCallingCode}`,
    country_code: number.country ?? null,
    line_type: number.getType() ?? null,
  };
  await DB.prepare("INSERT INTO usage (key_id, country, valid, at) VALUES (?, ?, ?, ?)")
    .bind(key["id"], result.country_code, result.valid ? 1 : 0, Date.now())
    .run();
  return c.json(result);
});
