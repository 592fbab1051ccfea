import { useQueryClient } from "@tanstack/react-query";
import type { ListedKey } from "../../../../../contract/keys.ts";
import type { KeyMode } from "../../../../../contract/limits.ts";
import { revokeKey, revokeKeys } from "../../../../lib/api/dashboard.ts";
import { failureMessage } from "../../../../lib/api/failure.ts";
import { queries } from "../../../../lib/queries.ts";
import { toast } from "../../../../lib/toast.ts";
import { useAction } from "../../../../lib/use-action.ts";

/** One key, or all `count` of a mode. */
export type Target =
  | { readonly mode: KeyMode; readonly key: ListedKey }
  | { readonly mode: KeyMode; readonly count: number };

function isMeant(target: Target, key: ListedKey): boolean {
  return "key" in target ? key.id === target.key.id : key.mode === target.mode;
}

function summary(target: Target, revoked: number): string {
  if ("key" in target) return `${target.key.name} stops working everywhere within two minutes.`;
  const keys = revoked === 1 ? `1 ${target.mode} key stops` : `${revoked} ${target.mode} keys stop`;
  return `${keys} working everywhere within two minutes.`;
}

/**
 * Revokes. A key leaves the list when the server has said so and not before: one that only looks revoked would be believed.
 */
export function useRevocation() {
  const client = useQueryClient();
  const { busy, run } = useAction();

  async function revoke(target: Target, settled: (revoked: boolean) => void): Promise<void> {
    try {
      const { revoked } = await ("key" in target ? revokeKey(target.key.id) : revokeKeys(target.mode));
      // A list that is being read may still have them.
      await client.cancelQueries({ queryKey: queries.keys.queryKey });
      client.setQueryData(
        queries.keys.queryKey,
        (before) => before && { keys: before.keys.filter((key) => !isMeant(target, key)) },
      );
      toast.success("API Key revoked", summary(target, revoked));
      settled(true);
    } catch (error) {
      toast.error("Error revoking API Key", failureMessage(error, "Unknown error"));
      settled(false);
    }
    // Whatever happened: another tab may have been first.
    void client.invalidateQueries({ queryKey: queries.keys.queryKey });
  }

  return { busy, revoke: (target: Target, settled: (revoked: boolean) => void) => run(() => revoke(target, settled)) };
}
