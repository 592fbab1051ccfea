import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { MAX_ACTIVE_KEYS } from "../../../../contract/limits.ts";
import type { KeyMode } from "../../../../contract/limits.ts";
import { TextLink } from "../../../components/ui/link.tsx";
import { queries } from "../../../lib/queries.ts";

/** Why the server would not generate a key now, and what to do about it. Null also while it can't be known. */
export function useObstacle(mode: KeyMode, active: number): ReactElement | null {
  const { data: subscription } = useQuery(queries.subscription);
  if (subscription !== undefined && subscription.status !== "active") {
    return subscription.trial_available ? (
      <>
        You need an active subscription to generate a key.{" "}
        <TextLink to="/dashboard/settings/subscription">Activate one</TextLink>
      </>
    ) : (
      <>
        Your subscription has ended. <TextLink to="/dashboard/settings/subscription">See your options</TextLink>
      </>
    );
  }
  if (active < MAX_ACTIVE_KEYS) return null;
  return <>{`You have ${MAX_ACTIVE_KEYS} ${mode} keys, the limit. Revoke one to generate another.`}</>;
}
