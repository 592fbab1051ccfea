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
