import type { KeyMode } from "../../../../contract/limits.ts";

/** A key's name in lists. */
export interface KeyLabel {
  readonly name: string;
  /** Its last characters; null for a revoked key and the dashboard's own. */
  readonly hint: string | null;
  /** Null where that is unknown, or where it has none. */
  readonly mode: KeyMode | null;
}

export function withoutHint(name: string): KeyLabel {
  return { name, hint: null, mode: null };
}

export function textOf({ name, hint }: Pick<KeyLabel, "name" | "hint">): string {
  return hint === null ? name : `${name} (…${hint})`;
}
