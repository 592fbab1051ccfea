import type { KeyMode } from "../../contract/limits.ts";

export const USAGE_OUTCOMES = ["success", "failure"] as const;
export type UsageOutcome = (typeof USAGE_OUTCOMES)[number];

/** Where no country could be told. */
export const UNKNOWN_COUNTRY = "ZZ";

/**
 * One counted answer. It says that a number was verified and from which country it was, never which number.
 */
export interface UsageEvent {
  /** Makes a repeated delivery countable once. */
  readonly id: string;
  /** The id of the same answer under the secret that is replacing the present one: whichever was counted, the other is not. */
  readonly alias?: string;
  readonly user_id: string;
  readonly key_id: string;
  readonly mode: KeyMode;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** ISO 3166-1 alpha-2, or ZZ. */
  readonly country_code: string;
  readonly outcome: UsageOutcome;
}

/** The event of one answer to a key's owner. `now` in milliseconds since the Unix epoch. */
export function usageEvent(input: {
  readonly id: string;
  readonly alias?: string | null;
  readonly key: { readonly id: string; readonly userId: string; readonly mode: KeyMode };
  readonly country: string | null;
  readonly successful: boolean;
  readonly now: number;
}): UsageEvent {
  const { id, alias, key, country, successful, now } = input;
  return {
    id,
    ...(alias && { alias }),
    user_id: key.userId,
    key_id: key.id,
    mode: key.mode,
    at: now,
    country_code: country ?? UNKNOWN_COUNTRY,
    outcome: successful ? "success" : "failure",
  };
}

/** What stands in the USAGE queue: the events of one isolate that were sent together. */
export interface UsageMessage {
  readonly events: readonly UsageEvent[];
}
