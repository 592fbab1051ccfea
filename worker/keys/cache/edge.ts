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

/** The least that KV allows, in seconds: how long a location serves what it has read without asking further. */
const CACHE_TTL_SECONDS = 30;
/** How long KV is waited for, in milliseconds. */
const READ_TIMEOUT_MS = 500;
const WRITE_TIMEOUT_MS = 2_000;

/** What is used of a KV namespace. */
export interface EdgeKv {
  get(name: string, options: { cacheTtl: number }): Promise<string | null>;
  put(name: string, value: string, options: { expirationTtl: number }): Promise<void>;
  delete(name: string): Promise<void>;
}

async function read(kv: EdgeKv, name: string, wait: Sleep): Promise<string | null> {
  return within(kv.get(name, { cacheTtl: CACHE_TTL_SECONDS }), READ_TIMEOUT_MS, wait);
}

/**
 * What KV has of a key, or null when it has nothing that can be used. Record and tombstone are read side by side. A tombstone counts
 * even when the record cannot be read; without a result about the tombstone a record is not believed.
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

/** @throws whatever KV throws, or TimeLimitError; the write may still arrive. */
export async function writeEdge(kv: EdgeKv, hash: string, sighting: KeyRecord | Tombstone, wait: Sleep): Promise<void> {
  const put = sighting.revoked
    ? kv.put(tombstoneName(hash), encodeTombstone(sighting), { expirationTtl: TOMBSTONE_TTL_SECONDS })
    : kv.put(recordName(hash), encodeRecord(sighting), { expirationTtl: RECORD_TTL_SECONDS });
  await within(put, WRITE_TIMEOUT_MS, wait);
}

/** Takes back the record of a key that is no longer in D1. What comes late brings back a record at worst, never a revoked key. */
export async function forgetRecord(kv: EdgeKv, hash: string, wait: Sleep): Promise<void> {
  await within(kv.delete(recordName(hash)), WRITE_TIMEOUT_MS, wait);
}

/** Whether a record may replace what KV was seen to have. */
export function isWorthWriting(record: KeyRecord, seen: KeyRecord | Tombstone | null): boolean {
  return seen === null || newest(seen, record) === record;
}
