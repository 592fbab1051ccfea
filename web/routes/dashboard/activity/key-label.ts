import { DASHBOARD_KEY_ID } from "../../../../contract/keys.ts";
import type { ListedKey } from "../../../../contract/keys.ts";

/** A key's name in lists. */
export interface KeyLabel {
  readonly name: string;
  /** Its last characters; null for a revoked key and the dashboard's own. */
  readonly hint: string | null;
}

export function withoutHint(name: string): KeyLabel {
  return { name, hint: null };
}

export function textOf({ name, hint }: KeyLabel): string {
  return hint === null ? name : `${name} (…${hint})`;
}

/** The names of an account's keys, and of the dashboard's own calls, by ID. */
export function labelsOf(keys: readonly ListedKey[] = []): ReadonlyMap<string, KeyLabel> {
  return new Map([...keys.map((key) => [key.id, key] as const), [DASHBOARD_KEY_ID, withoutHint("Dashboard")]]);
}
