import { TRIAL } from "../../contract/limits.ts";
import { subscriptions } from "../../schema.ts";
import type { AccountRow } from "../accounts/find-account.ts";
import type { Database } from "../db.ts";
import { touchActiveKeys } from "../keys/key-changes.ts";
import { ApiError } from "../api-error.ts";

/**
 * Starts the account's free trial. The row it leaves behind is what makes it once per account: of many requests at the same time
 * one inserts it.
 * @throws ApiError 403 EMAIL_NOT_VERIFIED, 409 TRIAL_ALREADY_USED.
 */
export async function activateTrial(db: Database, account: AccountRow, now: number): Promise<void> {
  if (account.verifiedAt === null) throw new ApiError("EMAIL_NOT_VERIFIED");
  const [started] = await db.batch([
    db
      .insert(subscriptions)
      .values({
        userId: account.id,
        plan: "trial",
        status: "active",
        startedAt: now,
        expiresAt: now + TRIAL.days * 86_400_000,
      })
      .onConflictDoNothing({ target: subscriptions.userId })
      .returning({ userId: subscriptions.userId }),
    touchActiveKeys(db, account.id, now),
  ]);
  if (started.length === 0) throw new ApiError("TRIAL_ALREADY_USED");
}
