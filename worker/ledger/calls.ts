import type { KeyMode } from "../../contract/limits.ts";
import { SDK_IDEMPOTENCY_PREFIX } from "../../contract/sdks.ts";
import type { Secrets } from "../platform/config.ts";
import { keyedHash } from "../platform/hash.ts";
import { createLru } from "../platform/lru.ts";
import type { KeyedCall } from "./part.ts";

/** Printable ASCII, as in the IETF draft on Idempotency-Key. */
const KEY_FORM = /^[\x21-\x7e]{1,255}$/;

/** How many recent calls an isolate remembers, at about 200 bytes each. */
const REMEMBERED = 10_000;

/** Whether an Idempotency-Key header is well formed: 1 to 255 printable ASCII characters without spaces. */
export function isIdempotencyKey(value: string): boolean {
  return KEY_FORM.test(value);
}

/** The owner of an Idempotency-Key, and the request sent under it. */
export interface IdempotentCall {
  readonly userId: string;
  readonly mode: KeyMode;
  readonly idempotencyKey: string;
  /** The request, as JSON. */
  readonly body: string;
}

/**
 * Identifies a call by account, mode, Idempotency-Key, and body: 96 bits of a keyed hash. Another body is another call.
 * A retry has the same id, which the ledger counts once.
 */
export function callId(secret: string, { userId, mode, idempotencyKey, body }: IdempotentCall): string {
  return keyedHash(secret, "call", userId, mode, idempotencyKey, body).slice(0, 24);
}

/**
 * How many hours the ledger remembers a call. The SDKs send a generated key with every call, and retry within minutes.
 */
export function hoursRemembered(idempotencyKey: string): number {
  return idempotencyKey.startsWith(SDK_IDEMPOTENCY_PREFIX) ? 1 : 48;
}

/** A call in an isolate's memory. */
export interface RememberedCall {
  /** As its ledger counts it. */
  readonly call: KeyedCall;
  /** Whether this isolate has already sent its result: if so, this is a retry, which needs and uses no quota. */
  answered: boolean;
}

/**
 * The Idempotency-Keys an isolate has seen, to recognize a retry, or a key with another body. Best effort: isolates come
 * and go.
 */
export interface IdempotencyMemory {
  /** The call, remembered from now; null when another body was seen under this account, mode, and key. */
  recall(call: IdempotentCall): RememberedCall | null;
}

/**
 * An LRU memory, of keyed hashes, never a body. While a secret is replaced, a call has an id under each: isolates with
 * only the old one recognize it by its id, those with only the new one by its alias.
 */
export function createIdempotencyMemory({ current, retiring }: Secrets, capacity = REMEMBERED): IdempotencyMemory {
  const seen = createLru<RememberedCall>(capacity);
  return {
    recall(call) {
      const place = keyedHash(current, "key", call.userId, call.mode, call.idempotencyKey);
      const id = callId(retiring ?? current, call);
      const known = seen.get(place);
      if (known !== undefined) return known.call.id === id ? known : null;
      const alias = retiring === null ? {} : { alias: callId(current, call) };
      const added = { call: { id, ...alias, hours: hoursRemembered(call.idempotencyKey) }, answered: false };
      seen.set(place, added);
      return added;
    },
  };
}
