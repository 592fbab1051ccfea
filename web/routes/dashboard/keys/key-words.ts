import type { ListedKey } from "../../../../contract/keys.ts";
import { formatDate } from "../../../lib/format.ts";

/** A key in lists: its start and its end. */
export function keyHint({ mode, hint }: Pick<ListedKey, "mode" | "hint">): string {
  return `ch_${mode}_…${hint}`;
}

/** Where a key was generated: "Created Nov 21, 2026 from Chrome on macOS, Brazil". */
export function createdFrom({ created_at: at, created_from: from }: ListedKey): string {
  const browser = from?.replace(/^Unknown browser/, "an unknown browser");
  return `Created ${formatDate(at)}${browser === undefined ? "" : ` from ${browser}`}`;
}
