import type { ListedKey } from "../../../../contract/keys.ts";
import { MAX_ACTIVE_KEYS } from "../../../../contract/limits.ts";
import type { KeyMode } from "../../../../contract/limits.ts";
import type { Subscription } from "../../../../contract/subscriptions.ts";
import { TextLink } from "../../../components/ui/link.tsx";

/** Why no key can be generated now. */
export type Obstacle = "subscription" | "ended" | "limit" | null;

interface ObstacleInput {
  readonly mode: KeyMode;
  /** Null when loading failed, and the server decides. */
  readonly subscription: Subscription | null;
  readonly keys: readonly ListedKey[];
}

/** Predicts why the server would reject it. */
export function obstacleTo({ mode, subscription, keys }: ObstacleInput): Obstacle {
  if (subscription !== null && subscription.status !== "active")
    return subscription.trial_available ? "subscription" : "ended";
  if (keys.filter((key) => key.mode === mode && key.state === "active").length >= MAX_ACTIVE_KEYS) return "limit";
  return null;
}

/** The same in words, and what to do about it. */
export function Explanation({ obstacle, mode }: { obstacle: NonNullable<Obstacle>; mode: KeyMode }) {
  switch (obstacle) {
    case "subscription":
      return (
        <>
          You need an active subscription to generate a key.{" "}
          <TextLink to="/dashboard/settings/subscription">Activate one</TextLink>
        </>
      );
    case "ended":
      return (
        <>
          Your subscription has ended. <TextLink to="/dashboard/settings/subscription">See your options</TextLink>
        </>
      );
    case "limit":
      return `You have ${MAX_ACTIVE_KEYS} ${mode} keys, the limit. Revoke one to generate another.`;
  }
}
