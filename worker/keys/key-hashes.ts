import { createLru } from "../platform/lru.ts";
import { hashKey, keyMode } from "./key-format.ts";

/** Keys in use here at a time, at about 250 bytes each. */
const REMEMBERED = 1_000;

/** The hash that a key is known by; null for a text whose form or checksum is not a key's. */
export type HashOf = (key: string) => string | null;

/**
 * Remembers the hashes of the keys that were used last, by the keys themselves: checksum and SHA-256 take longer than all of a lookup.
 * A dump of this memory shows keys, and would without it: each request brings one in clear, and no string here is ever wiped.
 */
export function createKeyHashes(): HashOf {
  const hashes = createLru<string>(REMEMBERED);
  return function hashOf(key) {
    const known = hashes.get(key);
    if (known !== undefined) return known;
    if (keyMode(key) === null) return null;
    const hash = hashKey(key);
    hashes.set(key, hash);
    return hash;
  };
}
