import { newest } from "./decide.ts";
import {
  decodeRecord,
  decodeTombstone,
  encodeRecord,
  encodeTombstone,
  RECORD_TTL_SECONDS,
  recordName,
  TOMBSTONE_TTL_SECONDS,
  tombstoneName,
} from "./record.ts";
import type { KeyRecord, Tombstone } from "./record.ts";
import { within } from "../../platform/time-limit.ts";
import type { Sleep } from "../../platform/time-limit.ts";

/** KV's minimum, in seconds: how long a location serves its cached value without rereading. */
const CACHE_TTL_SECONDS = 30;
/** How long to wait for KV, in milliseconds. */
const READ_TIMEOUT_MS = 500;
const WRITE_TIMEOUT_MS = 2_000;

/** The part of a KV namespace that we use. */
export interface EdgeKv {
  get(name: string, options: { cacheTtl: number }): Promise<string | null>;
  put(name: string, value: string, options: { expirationTtl: number }): Promise<void>;
  delete(name: string): Promise<void>;
}

async function read(kv: EdgeKv, name: string, wait: Sleep): Promise<string | null> {
  return within(kv.get(name, { cacheTtl: CACHE_TTL_SECONDS }), READ_TIMEOUT_MS, wait);
}

/**
 * What KV has of a key, or null if nothing usable. Reads record and tombstone in parallel. A tombstone counts even if
 * the record can't be read; a record doesn't count if the tombstone read fails.
 * @throws whatever KV throws, or TimeLimitError.
 */
export async function readEdge(kv: EdgeKv, hash: string, wait: Sleep): Promise<KeyRecord | Tombstone | null> {
  const [tombstone, record] = await Promise.allSettled([
    read(kv, tombstoneName(hash), wait),
    read(kv, recordName(hash), wait),
  ]);
  if (tombstone.status === "rejected") throw tombstone.reason;
  const gone = decodeTombstone(tombstone.value);
  if (gone !== null) return gone;
  if (record.status === "rejected") throw record.reason;
  return decodeRecord(record.value);
}

/** @throws whatever KV throws, or TimeLimitError; the write may still land. */
export async function writeEdge(kv: EdgeKv, hash: string, sighting: KeyRecord | Tombstone, wait: Sleep): Promise<void> {
  const put = sighting.revoked
    ? kv.put(tombstoneName(hash), encodeTombstone(sighting), { expirationTtl: TOMBSTONE_TTL_SECONDS })
    : kv.put(recordName(hash), encodeRecord(sighting), { expirationTtl: RECORD_TTL_SECONDS });
  await within(put, WRITE_TIMEOUT_MS, wait);
}

/**
 * Deletes the record of a key that is no longer in D1. At worst, a late write brings back a record, never a revoked
 * key.
 */
export async function forgetRecord(kv: EdgeKv, hash: string, wait: Sleep): Promise<void> {
  await within(kv.delete(recordName(hash)), WRITE_TIMEOUT_MS, wait);
}

/** Whether a record may replace the copy seen in KV. */
export function isWorthWriting(record: KeyRecord, seen: KeyRecord | Tombstone | null): boolean {
  return seen === null || newest(seen, record) === record;
}
