import { DASHBOARD_KEY_ID } from "../../contract/keys.ts";
import type { KeyMode } from "../../contract/limits.ts";
import type { AccountRow } from "../accounts/accounts.ts";
import type { Io } from "../io.ts";
import { ApiError } from "../platform/errors.ts";
import { findSubscription, isActive } from "../subscriptions/subscription.ts";
import type { KeyRecord } from "../key-cache/record.ts";

/**
 * The dashboard's substitute for a key of the account, subject to the same limits, quota, and ledger.
 * @throws ApiError 403 SUBSCRIPTION_INACTIVE in live mode
 */
export async function dashboardKey(
  { db, now }: Pick<Io, "db" | "now">,
  account: AccountRow,
  mode: KeyMode,
): Promise<KeyRecord> {
  const subscription = await findSubscription(db, account.id);
  if (mode === "live" && !isActive(subscription, now)) {
    throw new ApiError("SUBSCRIPTION_INACTIVE", {
      message: "Verifying from the dashboard requires an active subscription.",
    });
  }
  return {
    id: DASHBOARD_KEY_ID,
    userId: account.id,
    mode,
    suspendedAt: null,
    expiresAt: null,
    root: DASHBOARD_KEY_ID,
    cap: null,
    origins: [],
    needs: [],
    version: 0,
    asOf: now,
    subscription,
  };
}
