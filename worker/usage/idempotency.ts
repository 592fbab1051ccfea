import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { createLru } from "../lru.ts";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** Printable ASCII, as the IETF draft on Idempotency-Key has it. */
const KEY_FORM = /^[\x21-\x7e]{1,255}$/;

/** How many recent calls an isolate remembers, at about 200 bytes each. */
const REMEMBERED = 10_000;

/** Whether a value of the header Idempotency-Key has the right form: 1 to 255 printable ASCII characters without spaces. */
export function isIdempotencyKey(value: string): boolean {
  return KEY_FORM.test(value);
}

function keyedHash(secret: string, ...parts: readonly string[]): string {
  return bytesToHex(hmac(sha256, utf8ToBytes(secret), utf8ToBytes(JSON.stringify(parts)))).slice(0, 40);
}

/** What makes a call the same call: the account and its Idempotency-Key, as a keyed hash. */
export function callId(secret: string, userId: string, idempotencyKey: string): string {
  return keyedHash(secret, "call", userId, idempotencyKey);
}

/**
 * The id of the usage event of a call's item. A retry makes the same ids, and the consumer counts each once, so nothing has to be
 * looked up or kept for a retry.
 */
export function eventIdOf(call: string, item: number): string {
  return `evt_${call}:${item}`;
}

/** What calls an isolate has seen, so that it can tell when a key comes again with another body. Best effort: isolates come and go. */
export interface CallMemory {
  /** False when this call was seen with another body. Remembers it otherwise. */
  matches(call: string, body: string): boolean;
}

/** A memory that forgets the call that was not repeated the longest. It keeps keyed hashes, never a body. */
export function createCallMemory(secret: string, capacity = REMEMBERED): CallMemory {
  const seen = createLru<string>(capacity);
  return {
    matches(call, body) {
      const digest = keyedHash(secret, "body", body);
      const known = seen.get(call);
      if (known !== undefined) return known === digest;
      seen.set(call, digest);
      return true;
    },
  };
}
