import { KEY_MODES } from "../../contract/limits.ts";
import type { KeyMode } from "../../contract/limits.ts";

/** Whether a text can be sent as a key at all: one word of what a header may hold. Whether it is a good key is for the API to say. */
export function isSendable(key: string): boolean {
  return /^[\x21-\x7e]+$/.test(key);
}

/** Which keys a text seems to be one of; null for text that is no key. */
export function modeOf(key: string): KeyMode | null {
  if (!isSendable(key)) return null;
  return KEY_MODES.find((mode) => key.startsWith(`ch_${mode}_`)) ?? null;
}
