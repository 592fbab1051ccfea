import { crc32 } from "node:zlib";
import type { KeyMode } from "../../contract/limits.ts";
import { sha256Hex } from "../platform/hash.ts";
import { randomBase62, toBase62 } from "../platform/random.ts";

/**
 * An API key is `ch_test_` or `ch_live_`, 30 random base62 characters, and 6 base62 characters of the CRC-32 (IEEE)
 * over all of that. The checksum lets us reject a mistyped key without a lookup, and secret scanners recognize keys
 * reliably.
 */
const KEY_PATTERN = /^ch_(test|live)_[0-9A-Za-z]{36}$/;
const CHECKSUM_LENGTH = 6;

function checksum(body: string): string {
  return toBase62(crc32(body), CHECKSUM_LENGTH);
}

/** A new key. Shown once; only `hashKey` of it is stored. */
export function generateKey(mode: KeyMode): string {
  const body = `ch_${mode}_${randomBase62(30)}`;
  return body + checksum(body);
}

/** The mode of a well-formed key with a correct checksum, or null. Doesn't check whether the key exists. */
export function keyMode(key: string): KeyMode | null {
  const mode = KEY_PATTERN.exec(key)?.[1] as KeyMode | undefined;
  if (mode === undefined) return null;
  return key.endsWith(checksum(key.slice(0, -CHECKSUM_LENGTH))) ? mode : null;
}

/** SHA-256 of a key in hex. With 178 random bits, it needs no salt or slow hash. */
export function hashKey(key: string): string {
  return sha256Hex(key);
}

/** What lists show of a key: its last four characters. */
export function keyHint(key: string): string {
  return key.slice(-4);
}
