import { and, eq, isNull } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { apiKeys } from "../../schema.ts";
import type { Io } from "../io.ts";
import { changedAt } from "../key-cache/key-changes.ts";
import { publishTombstones } from "../key-cache/publish.ts";
import { recordEvent } from "./security-events.ts";

/** The statement that revokes those of an account's keys that meet a condition, for `afterRevoking`. */
export function revoking({ db, now }: Pick<Io, "db" | "now">, userId: string, condition: SQL | undefined) {
  return db
    .update(apiKeys)
    .set({ revokedAt: now, ...changedAt(now) })
    .where(and(eq(apiKeys.userId, userId), isNull(apiKeys.revokedAt), condition))
    .returning({ id: apiKeys.id, name: apiKeys.name, mode: apiKeys.mode, hash: apiKeys.hash });
}

/**
 * Records which keys were revoked. This isolate rejects them immediately, others as soon as KV shows the tombstones,
 * which are written in the background.
 */
export function afterRevoking(io: Io, userId: string, revoked: Awaited<ReturnType<typeof revoking>>): void {
  for (const { id, name, mode } of revoked) recordEvent(io, userId, "key_revoked", { id, name: `${name} (${mode})` });
  io.waitUntil(publishTombstones(io, revoked));
}
