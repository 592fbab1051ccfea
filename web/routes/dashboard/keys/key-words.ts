import type { ListedKey } from "../../../../contract/keys.ts";
import { KEY_MODES } from "../../../../contract/limits.ts";
import type { KeyMode } from "../../../../contract/limits.ts";
import { formatDate } from "../../../lib/format.ts";

/** A key in lists: its start and its end. */
export function keyHint({ mode, hint }: Pick<ListedKey, "mode" | "hint">): string {
  return `ch_${mode}_…${hint}`;
}

/**
 * Whether a text could be sent as a key: one word of characters allowed in a header. The API decides whether the key is
 * valid.
 */
export function isSendable(key: string): boolean {
  return /^[\x21-\x7e]+$/.test(key);
}

/** The mode of a text that looks like a key; null for other text. */
export function modeOf(key: string): KeyMode | null {
  if (!isSendable(key)) return null;
  return KEY_MODES.find((mode) => key.startsWith(`ch_${mode}_`)) ?? null;
}

/** Where a key was generated: "Created Nov 21, 2026 from Chrome on macOS, Brazil". */
export function createdFrom({ created_at: at, created_from: from }: ListedKey): string {
  const browser = from?.replace(/^Unknown browser/, "an unknown browser");
  return `Created ${formatDate(at)}${browser === undefined ? "" : ` from ${browser}`}`;
}
