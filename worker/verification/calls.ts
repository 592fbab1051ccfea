import type { KeyMode } from "../../contract/limits.ts";
import { SDK_IDEMPOTENCY_PREFIX } from "../../contract/sdks.ts";
import type { Secrets } from "../platform/config.ts";
import { keyedHash } from "../platform/hash.ts";
import { createLru } from "../platform/lru.ts";

/** Printable ASCII, as the IETF draft on Idempotency-Key has it. */
const KEY_FORM = /^[\x21-\x7e]{1,255}$/;

/** How many recent calls an isolate remembers, at about 200 bytes each. */
const REMEMBERED = 10_000;

/** Whether a value of the header Idempotency-Key has the right form: 1 to 255 printable ASCII characters without spaces. */
export function isIdempotencyKey(value: string): boolean {
  return KEY_FORM.test(value);
}

/** Whom an Idempotency-Key belongs to, and what was asked under it. */
export interface IdempotentCall {
  readonly userId: string;
  readonly mode: KeyMode;
  readonly idempotencyKey: string;
  /** The request, as JSON. */
  readonly body: string;
}

/**
 * What makes a call the same call: account, mode, Idempotency-Key and body, as 96 bits of a keyed hash. Another body makes another
 * call. A retry has the same id, which the ledger counts once.
 */
export function callId(secret: string, { userId, mode, idempotencyKey, body }: IdempotentCall): string {
  return keyedHash(secret, "call", userId, mode, idempotencyKey, body).slice(0, 24);
}

/** How many hours the ledger remembers a call. The SDKs send their own key with every call, and retry within minutes. */
export function hoursRemembered(idempotencyKey: string): number {
  return idempotencyKey.startsWith(SDK_IDEMPOTENCY_PREFIX) ? 1 : 48;
}

/** A call as an isolate remembers it. */
export interface RememberedCall {
  /** As `callId` makes it. */
  readonly id: string;
  /**
   * The same call under the secret that is replacing the one `id` is made with, or null. Isolates that only have the old secret know
   * the call by its id, those that will only have the new one by its alias.
   */
  readonly alias: string | null;
  /** How many hours the ledger remembers it. */
  readonly hours: number;
  /** Whether this isolate has answered it: then it is a retry, which needs no quota and takes nothing from it. */
  answered: boolean;
}

/** What an isolate has seen under Idempotency-Keys, so that it can tell a retry, and a key with another body. Best effort: isolates come and go. */
export interface CallMemory {
  /** The call, which is remembered from now on; null when another body was seen under this account, mode and key. */
  recall(call: IdempotentCall): RememberedCall | null;
}

/** A memory that forgets the call that was not repeated the longest. It keeps keyed hashes, never a body. */
export function createCallMemory({ current, retiring }: Secrets, capacity = REMEMBERED): CallMemory {
  const seen = createLru<RememberedCall>(capacity);
  return {
    recall(call) {
      const place = keyedHash(current, "key", call.userId, call.mode, call.idempotencyKey);
      const id = callId(retiring ?? current, call);
      const known = seen.get(place);
      if (known !== undefined) return known.id === id ? known : null;
      const alias = retiring === null ? null : callId(current, call);
      const added: RememberedCall = { id, alias, hours: hoursRemembered(call.idempotencyKey), answered: false };
      seen.set(place, added);
      return added;
    },
  };
}
