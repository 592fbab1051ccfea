import { createLru } from "../platform/lru.ts";
import { hashKey, keyMode } from "./key-format.ts";

/** Keys in use at a time in one isolate, about 250 bytes each. */
const REMEMBERED = 1_000;

/** The hash that identifies a key; null for text without a key's format and checksum. */
export type HashOf = (key: string) => string | null;

/**
 * Caches the hashes of recently used keys, by the keys themselves: checksum and SHA-256 take longer than the rest of a
 * lookup. A dump of this memory shows keys, but would without the cache too: each request contains one in clear, and
 * strings here are never wiped.
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
