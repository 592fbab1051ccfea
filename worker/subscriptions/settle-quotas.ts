import { openDatabase } from "../platform/db.ts";
import type { Bindings } from "../env.ts";
import { publishUsage } from "../keys/cache/publish-usage.ts";
import { sendQuotaNotices } from "./notices.ts";

/** After usage was counted: tells the edge what these accounts have used, and their owners when it is much. */
export async function settleQuotas(
  env: Pick<Bindings, "DB" | "EDGE" | "MAIL">,
  userIds: readonly string[],
  now = Date.now(),
): Promise<void> {
  const db = openDatabase(env.DB);
  await publishUsage({ edge: env.EDGE, db, now }, userIds);
  await sendQuotaNotices({ db, mail: env.MAIL, now, userIds });
}
