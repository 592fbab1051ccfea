import { within } from "../platform/time-limit.ts";
import type { Sleep } from "../platform/time-limit.ts";
import { decodeRecord } from "./record.ts";
import type { KeyRecord, KeyState } from "./record.ts";

/** KV's minimum, in seconds: how long a location serves its cached value without rereading. */
const CACHE_TTL_SECONDS = 30;
/** How long to wait for KV, in milliseconds. */
const READ_TIMEOUT_MS = 500;
const WRITE_TIMEOUT_MS = 2_000;

/** The part of a KV namespace that readers and writers of keys use. */
export interface EdgeKv {
  get(name: string, options: { cacheTtl: number }): Promise<string | null>;
  put(name: string, value: string): Promise<void>;
  delete(name: string): Promise<void>;
}

export const RECORD_PREFIX = "key:";

/** The KV name of the record of a key with this SHA-256 (hex). */
export function recordName(hash: string): string {
  return RECORD_PREFIX + hash;
}

/**
 * The KV name of the tombstone. Separate because KV has no compare-and-swap: under the same name, a record that lands
 * late would replace the tombstone. Neither expires.
 */
export function tombstoneName(hash: string): string {
  return `gone:${hash}`;
}

/**
 * What KV has of a key. Record and tombstone are read in parallel. A tombstone counts even if the record can't be read;
 * a record doesn't count if the tombstone read fails.
 * @throws whatever KV throws, or TimeLimitError
 */
export async function readEdge(kv: EdgeKv, hash: string, wait: Sleep): Promise<KeyState> {
  const [tombstone, record] = await Promise.allSettled(
    [tombstoneName(hash), recordName(hash)].map((name) =>
      within(kv.get(name, { cacheTtl: CACHE_TTL_SECONDS }), READ_TIMEOUT_MS, wait),
    ),
  );
  if (tombstone!.status === "rejected") throw tombstone!.reason;
  if (tombstone!.value !== null) return "revoked";
  if (record!.status === "rejected") throw record!.reason;
  return decodeRecord(record!.value) ?? "unknown";
}

/**
 * Writes a record, or a tombstone in place of one. Each write has two seconds.
 * @throws whatever KV throws, or TimeLimitError; the write may still land
 */
export async function writeEdge(kv: EdgeKv, hash: string, state: KeyRecord | "revoked", wait: Sleep): Promise<void> {
  if (state !== "revoked") {
    await within(kv.put(recordName(hash), JSON.stringify(state)), WRITE_TIMEOUT_MS, wait);
    return;
  }
  await within(kv.put(tombstoneName(hash), state), WRITE_TIMEOUT_MS, wait);
  // Ignored beside a tombstone, but it contains the account's id.
  await within(kv.delete(recordName(hash)), WRITE_TIMEOUT_MS, wait);
}
