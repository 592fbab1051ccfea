import { MAX_ACTIVE_KEYS } from "../../../../contract/limits.ts";
import type { KeyMode } from "../../../../contract/limits.ts";
import type { ListedKey } from "../../../../contract/keys.ts";
import type { Subscription } from "../../../../contract/subscriptions.ts";

/** Why no key can be generated now. `loading` is not known yet, and nothing to say. */
export type Obstacle = "loading" | "subscription" | "limit" | null;

export interface ObstacleInput {
  readonly mode: KeyMode;
  /** Undefined while they are being read; null where they could not be, and the server has to decide. */
  readonly subscription: Subscription | undefined | null;
  readonly keys: readonly ListedKey[] | undefined | null;
}

/** What the server would refuse for, told before anybody asks it. */
export function obstacleTo({ mode, subscription, keys }: ObstacleInput): Obstacle {
  if (subscription === undefined) return "loading";
  if (subscription !== null && subscription.status !== "active") return "subscription";
  if (keys && keys.filter((key) => key.mode === mode).length >= MAX_ACTIVE_KEYS) return "limit";
  return null;
}
