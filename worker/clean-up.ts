import { lt } from "drizzle-orm";
import { emailTokens, signInAttempts } from "../schema.ts";
import { openDatabase } from "./db.ts";
import type { Bindings } from "./env.ts";
import { purgeUsageEvents } from "./usage/purge.ts";

/** How long a mail's token stays after it has expired, so that following an old link says so. Milliseconds. */
const TOKEN_GRACE = 7 * 86_400_000;

/** Deletes rows that have outlived their use. Runs on a schedule; running twice, or not for a while, does no harm. */
export async function cleanUp(env: Pick<Bindings, "DB">, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  const events = await purgeUsageEvents(db, now);
  await db.batch([
    db.delete(emailTokens).where(lt(emailTokens.expiresAt, now - TOKEN_GRACE)),
    db.delete(signInAttempts).where(lt(signInAttempts.windowEndsAt, now)),
  ]);
  console.log(JSON.stringify({ level: "info", event: "clean_up", usage_events: events }));
}
